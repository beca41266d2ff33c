import { en } from "./en";

/** Every sentence people read. A second language is a second file of the same shape. */
export const text = en;

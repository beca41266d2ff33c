import { en } from "./en";

/** The texts every page needs, in English, the only language. Each area has its own texts in a file beside this one. */
export const text = en;

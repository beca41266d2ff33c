import type { ReactNode } from "react";
import { text } from "../messages";
import { Logo } from "../parts/Logo";
import { useTitle } from "../parts/useTitle";
import styles from "./Card.module.css";

interface Props {
  title: string;
  children: ReactNode;
}

/** Layout of the pages before sign-in: one card. */
export function Card({ title, children }: Props) {
  useTitle(title);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <p className={styles.brand}>
          <Logo size={24} />
          {text.product}
        </p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

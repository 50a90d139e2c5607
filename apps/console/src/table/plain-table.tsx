import { rem } from '@mantine/core';
import type { ComponentProps, CSSProperties } from 'react';
import classes from './plain-table.module.css';

interface PlainTableProps extends ComponentProps<'table'> {
  /** What the rows are, for screen readers. */
  readonly label: string;
  /** In pixels: a narrower page scrolls the table instead of itself. */
  readonly minWidth?: number;
  /** Its rows are of an earlier request while the next ones are loaded. */
  readonly isBusy?: boolean;
  /** On a phone rows are cards: each cell has its caption in `data-label`. */
  readonly hasCards?: boolean;
}

/** A table that scrolls by itself, by keyboard too. Its children are those of a `table`. */
export const PlainTable = ({ label, minWidth, isBusy = false, hasCards, children, ...attributes }: PlainTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
  <section className={classes['scroll']} tabIndex={0} aria-label={label}>
    <table
      className={classes['table']}
      style={{ '--table-width': rem(minWidth ?? 0) } as CSSProperties}
      data-cards={hasCards}
      aria-label={label}
      aria-busy={isBusy}
      {...attributes}
    >
      {children}
    </table>
  </section>
);

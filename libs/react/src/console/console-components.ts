import type { ComponentType, ReactNode } from 'react';

/** Components in the look of the console, for extensions. Their properties stay the same when the kit changes. */
export interface ConsoleComponents {
  /** A page with its title as the heading. */
  readonly Page: ComponentType<{ readonly title: string; readonly children: ReactNode }>;
  readonly Button: ComponentType<{
    readonly children: ReactNode;
    readonly onClick: () => void;
    readonly isSecondary?: boolean;
    /** Shows that it works, and cannot be pressed. */
    readonly isBusy?: boolean;
    readonly isDisabled?: boolean;
  }>;
  /** A link to a page of the console. */
  readonly Link: ComponentType<{ readonly to: string; readonly children: ReactNode }>;
  /** A table, which scrolls by itself where it is wider than the page. */
  readonly Table: ComponentType<{
    /** What screen readers call it. */
    readonly label: string;
    readonly columns: readonly string[];
    readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
  }>;
  readonly TextField: ComponentType<FieldProps & { readonly isMultiline?: boolean }>;
  readonly SelectField: ComponentType<
    FieldProps & { readonly options: readonly { readonly value: string; readonly label: string }[] }
  >;
  /** An error where its content would be. */
  readonly ErrorNotice: ComponentType<{ readonly error: unknown; readonly onRetry?: () => void }>;
  /** Shown while something is loaded that takes longer than a moment. */
  readonly Waiting: ComponentType;
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
  readonly isReadOnly?: boolean;
  readonly isRequired?: boolean;
}

import { type ReactNode, useMemo } from 'react';
import { FormProvider } from '../../data/form/form-context.ts';

const NO_MESSAGES: ReadonlyMap<string, string> = new Map();
const nothing = (): void => undefined;

interface SingleFieldProps {
  readonly onChange: (value: unknown) => void;
  readonly children: ReactNode;
}

/** The form that a field of the data area is in, for one field alone. */
export function SingleField({ onChange, children }: SingleFieldProps) {
  const form = useMemo(
    () => ({
      messages: NO_MESSAGES,
      change: (_path: string, value: unknown) => onChange(value),
      addStored: nothing,
      report: nothing,
      // Fields of extensions are those of attributes.
      extension: {},
      id: undefined,
      depth: 0,
    }),
    [onChange],
  );
  return <FormProvider value={form}>{children}</FormProvider>;
}

import type { ReportInfo } from '@lintel/client';
import { useState } from 'react';
import { type ParameterValues, sentValues } from './sent-values.ts';

/** The input of a run on a page. */
export interface RunFieldsState {
  readonly values: ParameterValues;
  readonly setValue: (alias: string, value: unknown) => void;
  /** The code of a template; null for the default one. */
  readonly template: string | null;
  readonly setTemplate: (code: string | null) => void;
  /** What is sent. */
  readonly options: () => {
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly template: string | undefined;
  };
}

/** Parameters and the template that are stored for later runs. */
interface StoredFields {
  readonly parameters?: readonly { readonly name: string; readonly value?: unknown }[] | null;
  readonly template?: string | null;
}

/** The parameters and the template of a run of a report, as they are stored and the user changes them. */
export function useRunFields(report: ReportInfo | undefined, stored: StoredFields = {}): RunFieldsState {
  const [values, setValues] = useState<ParameterValues>(() =>
    Object.fromEntries((stored.parameters ?? []).map(({ name, value }) => [name, value])),
  );
  const [template, setTemplate] = useState(stored.template ?? null);
  return {
    values,
    setValue: (alias, value) => setValues((before) => ({ ...before, [alias]: value })),
    template,
    setTemplate,
    options: () => ({
      parameters: sentValues(report?.inputParameters ?? [], values),
      template: template ?? undefined,
    }),
  };
}

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

/** The parameters and the template of a run of a report, as the user enters them. */
export function useRunFields(report: ReportInfo | undefined): RunFieldsState {
  const [values, setValues] = useState<ParameterValues>({});
  const [template, setTemplate] = useState<string | null>(null);
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

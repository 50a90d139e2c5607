import type { ReportInfo } from '@lintel/client';

export type ReportParameter = NonNullable<ReportInfo['inputParameters']>[number];

/** What the user has entered, by alias. */
export type ParameterValues = Readonly<Record<string, unknown>>;

/** The parameters as they are sent: without those that the user has left, whose default the server uses. */
export const sentValues = (
  parameters: readonly ReportParameter[],
  values: ParameterValues,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    parameters.flatMap(({ alias }) => {
      const value = values[alias];
      const isEmpty =
        value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
      return isEmpty ? [] : [[alias, value]];
    }),
  );

import type { ReportParameter, ReportParameters, ReportParameterValue, ReportTextMask } from '@lintel/application';
import { callDefinition } from './call-definition.ts';

/** Makes the comparison of a query by LIKE case-insensitive (contract/report-data.md#data). */
const NO_CASE = '(?i)';

/** Returns the value that data sets and templates receive. */
export async function transformParameter(
  { alias, transformation }: ReportParameter,
  value: ReportParameterValue,
  values: ReportParameters,
): Promise<ReportParameterValue> {
  if (transformation === undefined || value === null) return value;
  if (typeof transformation === 'string') return maskText(transformation, String(value));
  return callDefinition(`the transformation of parameter ${alias}`, () => transformation(value, values));
}

function maskText(mask: ReportTextMask, text: string): string {
  const literal = text.replace(/[\\%_]/g, '\\$&');
  switch (mask) {
    case 'STARTS_WITH':
      return `${NO_CASE}${literal}%`;
    case 'ENDS_WITH':
      return `${NO_CASE}%${literal}`;
    case 'CONTAINS':
      return `${NO_CASE}%${literal}%`;
    default:
      return mask satisfies never;
  }
}

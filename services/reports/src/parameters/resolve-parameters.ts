import type { ReportParameter, ReportParameterValue, ReportRow } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import type { Access } from '@lintel/security';
import type { Clock } from '../clock.ts';
import type { ReportDataSource } from '../datasets/report-data-source.ts';
import { currentDateText } from './current-date.ts';
import { loadInstances } from './load-instances.ts';
import type { SubmittedParameter } from './parse-run-request.ts';
import { parseScalarParameter } from './parse-scalar.ts';

export interface ParameterPorts {
  readonly model: Model;
  /** What the caller may read. */
  readonly access: Pick<Access, 'allows'>;
  readonly data: ReportDataSource;
  readonly clock: Clock;
}

/**
 * Gives every parameter of a report its value: what was submitted, else the default, else null. Submitted
 * names that the report does not have are ignored (contract §1.5).
 *
 * @throws in the order of §1.4: steps 7a–7d for all parameters, then 9 for required ones
 */
export async function resolveParameters(
  parameters: readonly ReportParameter[],
  submitted: ReadonlyMap<string, SubmittedParameter>,
  ports: ParameterPorts,
): Promise<Readonly<Record<string, ReportParameterValue>>> {
  const values: Record<string, ReportParameterValue> = {};
  for (const parameter of parameters)
    values[parameter.alias] =
      (await submittedValue(parameter, submitted.get(parameter.alias), ports)) ??
      (await defaultValue(parameter, ports));
  for (const { alias, required } of parameters)
    if (required === true && values[alias] === null)
      throw new PlatformError('REPORT_RUN_ERROR', `Required report parameter "${alias}" not found`);
  return values;
}

async function submittedValue(
  parameter: ReportParameter,
  submitted: SubmittedParameter | undefined,
  ports: ParameterPorts,
): Promise<ReportParameterValue> {
  if (parameter.type === 'ENTITY_LIST') {
    const ids = submitted?.values ?? null;
    return ids === null ? null : await loadParameter(parameter, ids, ports);
  }
  const text = submitted?.value ?? null;
  return text === null ? null : await valueOfText(parameter, text, ports);
}

async function defaultValue(parameter: ReportParameter, ports: ParameterPorts): Promise<ReportParameterValue> {
  if (parameter.defaultValue !== undefined) return valueOfText(parameter, parameter.defaultValue, ports);
  return parameter.defaultDateIsCurrent === true ? currentDateText(parameter.type, new Date(ports.clock.now())) : null;
}

async function valueOfText(
  parameter: ReportParameter,
  text: string,
  ports: ParameterPorts,
): Promise<ReportParameterValue> {
  switch (parameter.type) {
    case 'ENTITY': {
      if (text.trim() === '') return null;
      const [instance] = await loadParameter(parameter, [text], ports);
      return instance ?? null;
    }
    case 'ENTITY_LIST':
      return loadParameter(parameter, [text], ports);
    default:
      return parseScalarParameter(parameter, text, ports.model);
  }
}

const loadParameter = (
  parameter: ReportParameter,
  ids: readonly string[],
  ports: ParameterPorts,
): Promise<readonly ReportRow[]> => loadInstances(parameter.entity ?? '', ids, ports);

import type {
  ReportCaller,
  ReportDefinition,
  ReportParameter,
  ReportParameters,
  ReportParameterValue,
  ReportRow,
} from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import type { Access } from '@lintel/security';
import type { ReportDataSource } from '../datasets/report-data-source.ts';
import { callDefinition } from '../definitions/call-definition.ts';
import { currentDateText } from './current-date.ts';
import { loadInstances } from './load-instances.ts';
import type { SubmittedParameter } from './parse-run-request.ts';
import { parseScalarParameter } from './parse-scalar.ts';
import { transformParameter } from './transform-parameter.ts';

export interface ParameterPorts {
  readonly model: Model;
  /** What the caller may read. */
  readonly access: Pick<Access, 'allows'>;
  readonly data: Pick<ReportDataSource, 'load'>;
  readonly caller: ReportCaller;
  /** Of the report: whether the values go together. */
  readonly validate: ReportDefinition['validation'];
}

/**
 * Gives every parameter of a report its value: what was submitted, else the default, else null; then what its
 * transformation makes of it. Submitted names that the report does not have are ignored (contract §1.5).
 *
 * @throws in the order of §1.4: steps 7a–7d for all parameters, then 8 for each and for all together, then 9
 */
export async function resolveParameters(
  parameters: readonly ReportParameter[],
  submitted: ReadonlyMap<string, SubmittedParameter>,
  ports: ParameterPorts,
): Promise<ReportParameters> {
  const values: Record<string, ReportParameterValue> = {};
  for (const parameter of parameters)
    values[parameter.alias] =
      (await submittedValue(parameter, submitted.get(parameter.alias), ports)) ??
      (await defaultValue(parameter, ports));
  await assertValid(parameters, values, ports);
  for (const { alias, required } of parameters)
    if (required === true && values[alias] === null)
      throw new PlatformError('REPORT_RUN_ERROR', `Required report parameter "${alias}" not found`);
  const transformed: Record<string, ReportParameterValue> = {};
  for (const parameter of parameters)
    transformed[parameter.alias] = await transformParameter(parameter, values[parameter.alias] ?? null, values);
  return transformed;
}

/** Text of a default, found out at each request; null where there is none. */
export async function defaultText(parameter: ReportParameter, caller: ReportCaller): Promise<string | null> {
  const { alias, defaultFrom, defaultValue: text = null } = parameter;
  if (defaultFrom === undefined) return text;
  return (await callDefinition(`the default of parameter ${alias}`, () => defaultFrom(caller))) ?? text;
}

async function assertValid(
  parameters: readonly ReportParameter[],
  values: ReportParameters,
  { caller, validate }: ParameterPorts,
): Promise<void> {
  const refuse = (reason: string | undefined): void => {
    if (reason !== undefined) throw new PlatformError('REPORT_RUN_ERROR', reason);
  };
  for (const { alias, validation } of parameters) {
    const value = values[alias] ?? null;
    if (validation === undefined || value === null) continue;
    refuse(await callDefinition(`the validation of parameter ${alias}`, () => validation(value, caller)));
  }
  if (validate !== undefined)
    refuse(await callDefinition('the validation of the parameters', () => validate(values, caller)));
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
  const text = await defaultText(parameter, ports.caller);
  if (text !== null) return valueOfText(parameter, text, ports);
  return parameter.defaultDateIsCurrent === true ? currentDateText(parameter.type, new Date(ports.caller.now)) : null;
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

import type {
  ReportCaller,
  ReportDefinition,
  ReportParameter,
  ReportParameters,
  ReportParameterValue,
  ReportRow,
  ReportTextMask,
} from '@lintel/application';
import type { ReportDataSource } from '@lintel/documents';
import { PlatformError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import type { TimeReading } from '@lintel/query';
import type { Access } from '@lintel/security';
import { callDefinition } from './call-definition.ts';
import { isCaller, isCurrentUser, momentText } from './default-expression.ts';
import { loadInstances, readableEntity } from './load-instances.ts';
import type { SubmittedParameter } from './parse-run-request.ts';
import { parseScalarParameter, parseScalarValue } from './parse-scalar.ts';
import { submittedId, submittedIds } from './submitted-ids.ts';

export interface ParameterPorts {
  readonly model: Model;
  /** The caller's rights to read. */
  readonly access: Pick<Access, 'allows'>;
  readonly data: Pick<ReportDataSource, 'load'>;
  readonly caller: ReportCaller;
  /** How times in submitted values are read. */
  readonly times?: TimeReading;
  /** Validation of the report: checks all values together. */
  readonly validate: ReportDefinition['validation'];
}

/**
 * Returns the values of all parameters of a report: the submitted value, else the default, else null, with the
 * transformation applied (contract/reports.md#run).
 *
 * @throws in the order of contract/reports.md#check-order: steps 7a–7d for all parameters, then 8 for each and for all
 *   together, then 9
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

/** Returns the text of a default, which is computed for each request; null where there is none. */
export async function defaultText(parameter: ReportParameter, caller: ReportCaller): Promise<string | null> {
  const { alias, type, defaultFrom, defaultExpression, defaultValue: text = null } = parameter;
  if (isCurrentUser(parameter)) return type === 'TEXT' ? caller.username : null;
  if (defaultExpression !== undefined) return momentText(defaultExpression, type, caller);
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
  const { alias, type } = parameter;
  const sent = type === 'ENTITY_LIST' ? (submitted?.values ?? submitted?.value) : submitted?.value;
  if (sent === undefined || sent === null) return null;
  if (type !== 'ENTITY' && type !== 'ENTITY_LIST') return parseScalarValue(parameter, sent, ports.model, ports.times);
  if (typeof sent === 'string' && sent.trim() === '') return null;
  const entity = readableEntity(parameter.entity ?? '', ports);
  if (type === 'ENTITY_LIST') return loadInstances(entity, submittedIds(alias, sent, entity), ports);
  const [instance] = await loadInstances(entity, [submittedId(alias, sent, entity)], ports);
  return instance ?? null;
}

async function defaultValue(parameter: ReportParameter, ports: ParameterPorts): Promise<ReportParameterValue> {
  const { type, entity = '', defaultDateIsCurrent } = parameter;
  if (type === 'ENTITY' && isCurrentUser(parameter)) {
    const request = { entity: readableEntity(entity, ports).name, filter: isCaller(ports.caller) };
    for await (const user of ports.data.load({ ...request, fetchPlan: '_instance_name' })) return user;
    return null;
  }
  const text = await defaultText(parameter, ports.caller);
  if (text !== null) return valueOfText(parameter, text, ports);
  return defaultDateIsCurrent === true ? momentText('now', type, ports.caller) : null;
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

const loadParameter = async (
  parameter: ReportParameter,
  ids: readonly string[],
  ports: ParameterPorts,
): Promise<readonly ReportRow[]> => loadInstances(readableEntity(parameter.entity ?? '', ports), ids, ports);

/** Makes the comparison of a query by LIKE case-insensitive (contract/report-data.md#data). */
const NO_CASE = '(?i)';

/** Returns the value that data sets and templates receive. */
async function transformParameter(
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

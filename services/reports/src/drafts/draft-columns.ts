import type { ReportParameter } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import * as metadata from '@lintel/metadata';
import { hasCompositeKey } from '@lintel/query';
import { type Access, assertStrongLogin } from '@lintel/security';
import { readableEntity } from '../parameters/load-instances.ts';

/** An attribute of a draft. */
export interface DraftColumn {
  readonly path: string;
  /** The name of the field. */
  readonly alias: string;
  readonly caption: string;
  readonly kind: 'text' | metadata.NumberKind | metadata.TemporalKind;
  /** Of a parameter that is compared with it. */
  readonly parameter: Pick<ReportParameter, 'type' | 'entity' | 'enumeration'>;
}

export interface ColumnPorts {
  readonly model: metadata.Model;
  /** Rights of the author. */
  readonly access: Access;
  readonly display: metadata.Display;
}

/** The mistake of a draft. */
export const wrongDraft = (problem: string): PlatformError => new PlatformError('REPORT_INVALID_BODY', problem);

/**
 * Resolves a path of attributes through references to one instance and embedded objects.
 *
 * @param member of the request, for errors
 * @throws REPORT_INVALID_BODY for a path that leads to no value; ACCESS_READ_DENIED for what the author may not read
 */
export function columnOf(
  entity: metadata.Entity,
  path: string,
  member: string,
  { model, access, display }: ColumnPorts,
): DraftColumn {
  const refuse = (problem: string) => wrongDraft(`${member}: ${path}: ${problem}`);
  let owner: metadata.Entity | undefined = entity;
  const steps: metadata.Attribute[] = [];
  for (const name of path.split('.')) {
    const step: metadata.Attribute | undefined = owner?.attributes.get(name);
    if (owner === undefined || step === undefined || step.secret) throw refuse(`there is no attribute ${name}`);
    assertViewed(owner.name, name, access);
    if (!step.persistent || step.kind === 'elements' || (step.kind === 'reference' && !metadata.isToOne(step)))
      throw refuse(`${name} has no single value in the database`);
    if (step.kind === 'reference') readableEntity(step.target, { model, access });
    owner = 'target' in step ? metadata.entityOf(model, step.target) : undefined;
    steps.push(step);
  }
  const last = steps.at(-1) as metadata.Attribute;
  // Values of a filter may be instances.
  const isInstance = last.kind === 'reference' && member === 'filter' && owner !== undefined && !hasCompositeKey(owner);
  const isValue = last.kind === 'enum' || (last.kind === 'datatype' && !['json', 'byteArray'].includes(last.datatype));
  if (!isInstance && !isValue) throw refuse('it leads to no value that is shown');
  const caption = steps.map((step) => display.captions.attribute(step)).join(' / ');
  return { path, alias: path.replaceAll('.', '_'), caption, ...kindOf(last) };
}

const TYPES = {
  date: 'DATE',
  time: 'TIME',
  dateTime: 'DATETIME',
  offsetDateTime: 'DATETIME',
  offsetTime: 'TIME',
} as const;

function kindOf(last: metadata.Attribute): Pick<DraftColumn, 'kind' | 'parameter'> {
  if (last.kind === 'reference') return { kind: 'text', parameter: { type: 'ENTITY', entity: last.target } };
  if (last.kind === 'enum') return { kind: 'text', parameter: { type: 'ENUMERATION', enumeration: last.enumName } };
  const datatype = 'datatype' in last ? last.datatype : 'string';
  const number = metadata.numberKindOf(datatype);
  const temporal = metadata.temporalKindOf(datatype);
  if (temporal !== undefined) return { kind: temporal, parameter: { type: TYPES[temporal] } };
  if (number !== undefined) return { kind: number, parameter: { type: 'NUMERIC' } };
  return { kind: 'text', parameter: { type: datatype === 'boolean' ? 'BOOLEAN' : 'TEXT' } };
}

function assertViewed(entity: string, attribute: string, access: Access): void {
  if (access.mayView(entity, attribute)) return;
  assertStrongLogin(access, (stronger) => stronger.mayView(entity, attribute));
  throw new PlatformError('ACCESS_READ_DENIED', `Reading of the attribute ${entity}.${attribute} is forbidden`);
}

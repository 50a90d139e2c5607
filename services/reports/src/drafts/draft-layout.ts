import type { ReportBand, ReportParameter, StoredDefinition } from '@lintel/application';
import { DRAFT_MASKS, type ReportDraft } from '@lintel/contracts';
import { readableEntity } from '../parameters/load-instances.ts';
import { type ColumnPorts, columnOf, type DraftColumn, wrongDraft } from './draft-columns.ts';

/** What a template of a draft shows. */
export interface DraftLayout {
  readonly definition: StoredDefinition;
  /** The outermost first. */
  readonly groups: readonly DraftColumn[];
  readonly columns: readonly DraftColumn[];
  /** Kinds of totals by the alias of their column. */
  readonly totals: ReadonlyMap<string, DraftColumn['kind']>;
}

/** Colors of a template. */
export const LOOK = { dark: '1F3864', light: 'FFFFFF', sum: 'DCE4F2', line: 'D9D9D9' };
/** Characters; more are printed on landscape paper. */
const PORTRAIT_WIDTH = 95;

/** Widths of the columns in characters; in front one for the names of groups and totals, where the first cannot have them. */
export function pageOf({ groups, columns, totals }: DraftLayout) {
  const widthOf = ({ kind, caption }: DraftColumn): number =>
    Math.min(45, Math.max(kind === 'text' || kind.startsWith('offset') ? 24 : 17, caption.length + 3));
  const hasLead = groups.length > 0 || totals.has(columns[0]?.alias ?? '');
  const widths = [...(hasLead ? [30] : []), ...columns.map(widthOf)];
  const width = widths.reduce((sum, one) => sum + one, 0);
  return { hasLead, widths, width, isWide: width > PORTRAIT_WIDTH };
}

export const aliasOf = ({ alias }: DraftColumn): string => `\${${alias}}`;

/** The name of a row of a group, with its level. */
export const leadOf = (group: DraftColumn, at: number): string =>
  `${'    '.repeat(at)}${group.caption}: ${aliasOf(group)}`;

/** Names of the bands of a draft. */
export const BANDS = { header: 'Header', rows: 'Rows', total: 'Total', group: (at: number) => `Group${at + 1}` };
const NUMBERS = ['integer', 'decimal', 'floating'];

/** Whether values of a column are numbers, which stand at its right side. */
export const isNumber = ({ kind }: Pick<DraftColumn, 'kind'>): boolean => NUMBERS.includes(kind);

/**
 * Makes the definition of a draft: bands of groups with their totals in one another, the rows in the innermost, the
 * totals of all rows below. Its texts name only what the author may read.
 *
 * @throws as `columnOf`
 */
export function layoutOf(draft: ReportDraft, ports: ColumnPorts): DraftLayout {
  if (ports.model.entities.get(draft.entity)?.kind !== 'entity')
    throw wrongDraft(`entity: there is no entity ${draft.entity}`);
  const entity = readableEntity(draft.entity, ports);
  const column = (member: string) => (path: string) => columnOf(entity, path, member, ports);
  const groups = draft.groups.map(column('groups'));
  const columns = draft.attributes.map(column('attributes'));
  const fields = [...groups, ...columns].map(({ alias }) => alias);
  const twice = fields.find((alias, at) => fields.indexOf(alias) !== at);
  if (twice !== undefined) throw wrongDraft(`attributes: two have the field ${twice}`);
  const totals = draft.totals.map((total) => totalOf(total, columns));
  const again = draft.totals.find(
    ({ attribute }, at) => draft.totals.findIndex((one) => one.attribute === attribute) < at,
  );
  if (again !== undefined) throw wrongDraft(`totals: there are two of ${again.attribute}`);
  const { parameters, texts } = filterOf(draft.filter, column('filter'));
  const query = (values: readonly string[], more: readonly string[], end: string): string => {
    const where = [...texts, ...more].join(' and ');
    return `select ${values.join(', ')} from ${entity.name} e${where === '' ? '' : ` where ${where}`}${end}`;
  };
  const selected = (one: DraftColumn): string => `e.${one.path} as ${one.alias}`;
  const bandOf = (name: string, text: string, inner: readonly ReportBand[] = []): ReportBand => ({
    name,
    dataSets: [{ kind: 'query', name: 'rows', query: text }],
    ...(inner.length > 0 && { bands: inner }),
  });
  const sums = totals.map(({ text }) => text);
  const order = draft.sort.map((key) => {
    const { path } = column('sort')(key.replace(/^[+-]/, ''));
    return `e.${path}${key.startsWith('-') ? ' desc' : ''}`;
  });
  const rowsEnd = ` order by ${order.length === 0 ? `e.${columns[0]?.path}` : order.join(', ')}`;
  let inner = bandOf(BANDS.rows, query(columns.map(selected), groups.map(sameGroup), rowsEnd));
  for (const [at, group] of [...groups.entries()].reverse()) {
    const end = ` group by e.${group.path} order by e.${group.path}`;
    inner = bandOf(BANDS.group(at), query([selected(group), ...sums], groups.slice(0, at).map(sameGroup), end), [
      inner,
    ]);
  }
  // A Word document shows its title without a band.
  const header = draft.template === 'XLSX' ? [{ name: BANDS.header }] : [];
  const bands = [...header, inner, ...(sums.length > 0 ? [bandOf(BANDS.total, query(sums, [], ''))] : [])];
  const kinds = new Map(totals.map(({ alias, kind }) => [alias, kind]));
  return { definition: { parameters, bands }, groups, columns, totals: kinds };
}

/** Rows without a value are a group, too. */
function sameGroup({ path, alias }: DraftColumn, at: number): string {
  const value = `\${${BANDS.group(at)}.${alias}}`;
  return `(e.${path} = ${value} or (e.${path} is null and ${value} is null))`;
}

function totalOf({ attribute, function: name }: ReportDraft['totals'][number], columns: readonly DraftColumn[]) {
  const column = columns.find(({ path }) => path === attribute);
  if (column === undefined) throw wrongDraft(`totals: ${attribute} is none of the attributes`);
  const { alias, kind } = column;
  const isOrdered = kind !== 'text' && (name === 'min' || name === 'max');
  if (name !== 'count' && !isNumber(column) && !isOrdered) throw wrongDraft(`totals: ${attribute} has no ${name}`);
  const ofTotal = name === 'count' ? 'integer' : name === 'avg' ? 'decimal' : kind;
  return { alias, kind: ofTotal as DraftColumn['kind'], text: `${name}(e.${attribute}) as ${alias}` };
}

/** Each value is a parameter: it is never part of a text, and a run can send another one. */
function filterOf(conditions: ReportDraft['filter'], columnAt: (path: string) => DraftColumn) {
  const parameters: ReportParameter[] = [];
  const texts = conditions.map(({ attribute, operator, value, defaultExpression, isAsked }) => {
    const { path, alias: field, caption, parameter } = columnAt(attribute);
    if (operator === 'isNull') return `e.${path} is null`;
    if (operator === 'notEmpty') return `e.${path} is not null`;
    const isList = operator === 'in';
    const mask = DRAFT_MASKS[operator];
    if (isList ? parameter.type !== 'ENTITY' : mask !== undefined && parameter.type !== 'TEXT')
      throw wrongDraft(`filter: ${path} has no operator ${operator}`);
    const alias = `${field}_${parameters.length + 1}`;
    parameters.push({
      ...{ alias, name: operator === '=' || isList || mask !== undefined ? caption : `${caption} ${operator}` },
      ...parameter,
      ...(isList && { type: 'ENTITY_LIST' as const }),
      ...(value !== undefined && { defaultValue: value }),
      ...(defaultExpression !== undefined && { defaultExpression }),
      ...(mask !== undefined && { transformation: mask }),
      ...(!isAsked && { hidden: true }),
    });
    if (mask !== undefined) return `e.${path} like \${${alias}} escape '\\'`;
    return `e.${path}${parameter.type === 'ENTITY' ? '.id' : ''} ${operator} \${${alias}}`;
  });
  return { parameters, texts };
}

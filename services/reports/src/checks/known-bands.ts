import type { ReportBand, ReportDataSet, ReportDefinition } from '@lintel/application';
import { type FieldTest, type KnownBand, ROOT_BAND, setsOfCrossBand } from '@lintel/documents';
import { type FetchPlan, isToMany, type Model } from '@lintel/metadata';
import type { SelectedValue } from '@lintel/query';
import {
  type DescribedQueries,
  describeQuery,
  describeQuestion,
  parametersOf,
  planOf,
  type ValidationScope,
} from '../definitions/check-data-sets.ts';

/** All bands by name, with those of cross tables. */
export function knownBands(
  report: ReportDefinition,
  model: Model,
  queries: DescribedQueries,
): ReadonlyMap<string, KnownBand> {
  const parameters = parametersOf(report);
  const scope: ValidationScope = { model, parameters, above: [], axes: [], queries };
  const isParameter: FieldTest = (path) => {
    const [alias = '', ...rest] = path.split('.');
    const { entity: name, transformation } = parameters.get(alias) ?? {};
    const entity = transformation === undefined ? model.entities.get(name ?? '') : undefined;
    // The instance of a parameter is read with what its name needs.
    const plan = entity && planOf('_instance_name', entity, model);
    if (plan !== undefined && rest.length > 0) return isInPlan(rest.join('.'), plan, model);
    return parameters.has(alias) || path === '__REPORT_FILE_NAME';
  };
  const bands = new Map<string, KnownBand>();
  const add = (name: string, parent: KnownBand | undefined, sets: readonly ReportDataSet[], own: FieldTest = NONE) => {
    const fields = sets.map((set) => fieldsOf(set, scope));
    const has: FieldTest = (path) => own(path) || fields.some((of) => of.has(path));
    const selected = fields.flatMap((of) => of.selected ?? []);
    const band = { name, parent, has, selected, isRepeated: sets.length > 0 };
    bands.set(name, band);
    return band;
  };
  const addBand = (band: ReportBand, parent: KnownBand): void => {
    const { name, dataSets = [], bands: below = [] } = band;
    if (band.orientation === 'cross') {
      const { columns, rows, cells } = setsOfCrossBand(band);
      add(`${name}_dynamic_header`, add(`${name}_header`, parent, []), columns);
      add(name, add(`${name}_master_data`, parent, rows), cells);
      return;
    }
    const added = add(name, parent, dataSets, dataSets.length === 0 ? isParameter : NONE);
    for (const child of below) addBand(child, added);
  };
  const root = add(ROOT_BAND, undefined, report.rootDataSets ?? [], isParameter);
  for (const band of report.bands) addBand(band, root);
  return bands;
}

const NONE: FieldTest = () => false;
const ANY: FieldTest = () => true;

interface KnownFields {
  readonly has: FieldTest;
  readonly selected?: readonly string[];
}

function fieldsOf(set: ReportDataSet, scope: ValidationScope): KnownFields {
  try {
    return knownFields(set, scope) ?? { has: ANY };
  } catch {
    // The definition has this problem, which is reported with it.
    return { has: ANY };
  }
}

/** Undefined where the fields are known only when the report runs: of SQL, JSON and code. */
function knownFields(set: ReportDataSet, scope: ValidationScope): KnownFields | undefined {
  const { model, parameters } = scope;
  const test = (entityName: string | undefined, fetchPlan: unknown): KnownFields | undefined => {
    const entity = model.entities.get(entityName ?? '');
    const plan = entity && planOf(fetchPlan, entity, model);
    return plan && { has: (path) => isInPlan(path, plan, model) };
  };
  switch (set.kind) {
    case 'query': {
      const { entity, values } = describeQuery(set, scope);
      return values === undefined ? test(entity.name, set.fetchPlan ?? '_base') : fieldsOfValues(values);
    }
    case 'aggregates':
      return fieldsOfValues(describeQuestion(set, model));
    case 'entities':
      return test(set.entity, set.fetchPlan);
    case 'entity':
      return test(parameters.get(set.parameter ?? 'entity')?.entity, set.fetchPlan);
    case 'entityList': {
      const [alias = '', attribute] = (set.parameter ?? 'entities').split('#');
      const entity = parameters.get(alias)?.entity;
      if (attribute === undefined) return test(entity, set.fetchPlan);
      const found = model.entities.get(entity ?? '')?.attributes.get(attribute);
      return found?.kind === 'reference' ? test(found.target, set.fetchPlan) : undefined;
    }
    default:
      return undefined;
  }
}

function fieldsOfValues(values: readonly SelectedValue[]): KnownFields {
  const selected = values.map(({ name }) => name);
  const names = new Set(selected.flatMap((name) => [name, name.replace('@', '_')]));
  return { has: (path) => names.has(path), selected };
}

function isInPlan(path: string, plan: FetchPlan, model: Model): boolean {
  const [name = '', ...rest] = path.split('.');
  if (/^(?:_.*|\+.*|id|version)$/.test(name)) return true;
  const property = plan.properties.find((one) => one.name === name);
  const attribute = model.entities.get(plan.entity)?.attributes.get(name);
  if (property === undefined || attribute === undefined) return false;
  if (rest.length === 0) return true;
  if (attribute.kind === 'datatype') return attribute.datatype === 'json';
  if (attribute.kind !== 'reference' && attribute.kind !== 'embedded') return false;
  if (attribute.kind === 'reference' && isToMany(attribute)) return false;
  return property.plan === undefined || isInPlan(rest.join('.'), property.plan, model);
}

import { fieldErrorsOf } from '../records/field-errors.ts';
import { createRecordModel, type ProviderOptions, type Resource } from '../records/record-model.ts';
import {
  binOf,
  type ProviderRecord,
  removalOf,
  selectionOf,
  tagOfVersion,
  toId,
  toRecord,
} from '../records/records.ts';
import { toInput } from '../records/to-input.ts';
import type { LintelDataProvider, ListParams, ListResult, Signalled } from './data-provider.ts';
import { filterOf } from './filter-of.ts';

/** The options of the data provider for react-admin. */
export interface DataProviderOptions extends ProviderOptions {
  /** Whether lists have a total number, as by default; without it they know only whether there is another page. */
  readonly counts?: boolean | undefined;
}

const ID = 'id';

/**
 * A data provider for react-admin. Updates send what was changed, and are refused if the record has another version than
 * the one that the page has read. Messages about attributes are shown at their fields.
 */
export function createDataProvider(options: DataProviderOptions): LintelDataProvider {
  const model = createRecordModel(options);
  const { entities } = model;
  const { counts = true } = options;

  async function list(
    resource: Resource,
    { pagination: { page, perPage } = { page: 1, perPage: 25 }, sort, filter, meta, signal }: ListParams,
    target?: { readonly name: string; readonly id: unknown },
  ): Promise<ListResult> {
    const name = resource.entity.entityName;
    const selected = filterOf(resource, { ...filter, ...(target && { [target.name]: toId(target.id) }) });
    const order = sort === undefined ? undefined : `${sort.order === 'DESC' ? '-' : ''}${sort.field}`;
    const [rows, total] = await Promise.all([
      entities.list(name, {
        fetchPlan: resource.listPlan,
        filter: selected,
        sort: order,
        // One more shows whether there is another page.
        limit: counts ? perPage : perPage + 1,
        offset: (page - 1) * perPage,
        ...selectionOf(meta),
        signal,
      }),
      counts ? entities.count(name, { filter: selected, ...selectionOf(meta), signal }) : undefined,
    ]);
    const data = rows.slice(0, perPage).map((row) => toRecord(model, resource.entity, row));
    if (total !== undefined) return { data, total };
    return { data, pageInfo: { hasNextPage: rows.length > perPage, hasPreviousPage: page > 1 } };
  }

  async function one(
    { entity, name, fetchPlan }: Resource,
    id: unknown,
    { signal, meta }: Signalled & { readonly meta?: unknown },
  ): Promise<ProviderRecord> {
    const instance = await entities.load(entity.entityName, toId(id), { fetchPlan, ...binOf(meta), signal });
    if (instance === undefined) throw Object.assign(new Error(`There is no ${name} ${id}`), { status: 404 });
    return toRecord(model, entity, instance);
  }

  /** The resource, and the errors of what is done with it in the form of react-admin. */
  const on = <T>(name: string, work: (resource: Resource) => Promise<T>): Promise<T> =>
    model.resource(name).then(work).catch(formErrors);

  return {
    supportAbortSignal: true,
    getList: (name, params) => on(name, (resource) => list(resource, params)),
    getManyReference: (name, { target, id, ...params }) =>
      on(name, (resource) => list(resource, params, { name: target, id })),
    getOne: (name, { id, ...params }) => on(name, async (resource) => ({ data: await one(resource, id, params) })),
    getMany: (name, { ids, signal }) =>
      on(name, async ({ entity, listPlan }) => {
        const conditions = [{ property: ID, operator: 'in', value: ids.map(toId) }];
        const limit = Math.max(1, ids.length);
        const rows = await entities.list(entity.entityName, {
          fetchPlan: listPlan,
          filter: { conditions },
          limit,
          signal,
        });
        return { data: rows.map((row) => toRecord(model, entity, row)) };
      }),
    aggregate: (name, options) =>
      on(name, async ({ entity }) => ({ data: [...(await entities.aggregate(entity.entityName, options))] })),
    create: (name, { data }) =>
      on(name, async ({ entity, fetchPlan }) => {
        const created = await entities.create(entity.entityName, toInput(model, entity, data), { fetchPlan });
        return { data: toRecord(model, entity, created) };
      }),
    update: (name, { id, data, previousData }) =>
      on(name, async (resource) => {
        const { entity, fetchPlan } = resource;
        const changed = toInput(model, entity, data, previousData);
        if (previousData !== undefined && Object.keys(changed).length === 0)
          return { data: await one(resource, id, {}) };
        const ifMatch = tagOfVersion(previousData);
        const updated = await entities.update(entity.entityName, toId(id), changed, { fetchPlan, ifMatch });
        return { data: toRecord(model, entity, updated) };
      }),
    updateMany: (name, { ids, data }) =>
      on(name, async ({ entity }) => {
        const input = toInput(model, entity, data);
        await entities.updateMany(
          entity.entityName,
          ids.map((id) => ({ ...input, id: toId(id) })),
        );
        return { data: [...ids] };
      }),
    delete: (name, { id, previousData, meta }) =>
      on(name, async ({ entity }) => {
        await entities.remove(entity.entityName, toId(id), { ifMatch: tagOfVersion(previousData), ...removalOf(meta) });
        return { data: previousData ?? { id } };
      }),
    deleteMany: (name, { ids, meta }) =>
      on(name, async ({ entity }) => {
        await entities.removeMany(entity.entityName, ids.map(toId), removalOf(meta));
        return { data: [...ids] };
      }),
  };
}

/**
 * Rejects with an error as react-admin expects it: `status` for the auth provider, `body.errors` for the fields of the
 * form, `message` for the notification.
 */
function formErrors(cause: unknown): never {
  // What was aborted, and what react-admin has thrown itself.
  if (cause instanceof Error && (cause.name === 'AbortError' || !('code' in cause))) throw cause;
  const { message, status, code, fields } = fieldErrorsOf(cause);
  const body = { code, ...(Object.keys(fields).length > 0 && { errors: fields }) };
  throw Object.assign(new Error(message, { cause }), { name: 'HttpError', status, body });
}

import { fieldErrorsOf } from '../records/field-errors.ts';
import { createRecordModel, type ProviderOptions, type Resource } from '../records/record-model.ts';
import { binOf, removalOf, selectionOf, tagOfVersion, toId, toRecord } from '../records/records.ts';
import { toInput } from '../records/to-input.ts';
import type { LintelRefineProvider } from './data-provider.ts';
import { filterOf } from './filter-of.ts';
import { LastRead } from './last-read.ts';

const PAGE_SIZE = 10;
const ID = 'id';

/**
 * A data provider for Refine. Updates send what differs from the record that was read last, and are refused if it has
 * another version by then. Messages about attributes are shown at their fields.
 */
export function createDataProvider(options: ProviderOptions): LintelRefineProvider {
  const model = createRecordModel(options);
  const { entities } = model;
  const lastRead = new LastRead();

  /** The resource, and the errors of what is done with it in the form of Refine. */
  const on = <T>(name: string, work: (resource: Resource) => Promise<T>): Promise<T> =>
    model.resource(name).then(work).catch(httpErrors);

  return {
    getList: ({ resource: name, pagination = {}, sorters = [], filters, meta }) =>
      on(name, async (resource) => {
        const { entityName } = resource.entity;
        const { currentPage = pagination.current ?? 1, pageSize = PAGE_SIZE, mode = 'server' } = pagination;
        const filter = filterOf(resource, filters);
        const order = sorters.map(({ field, order: direction }) => `${direction === 'desc' ? '-' : ''}${field}`);
        const sort = order.length === 0 ? undefined : order.join(',');
        const selection = selectionOf(meta);
        const read = { fetchPlan: resource.listPlan, filter, sort, ...selection };
        if (mode !== 'server') {
          const data = [];
          for await (const instance of entities.all(entityName, read))
            data.push(toRecord(model, resource.entity, instance));
          return { data, total: data.length };
        }
        const [rows, total] = await Promise.all([
          entities.list(entityName, { ...read, limit: pageSize, offset: (currentPage - 1) * pageSize }),
          entities.count(entityName, { filter, ...selection }),
        ]);
        return { data: rows.map((row) => toRecord(model, resource.entity, row)), total };
      }),
    getOne: ({ resource: name, id, meta }) =>
      on(name, async ({ entity, fetchPlan }) => {
        const instance = await entities.load(entity.entityName, toId(id), { fetchPlan, ...binOf(meta) });
        if (instance === undefined) throw Object.assign(new Error(`There is no ${name} ${id}`), { statusCode: 404 });
        return { data: lastRead.keep(entity.entityName, toRecord(model, entity, instance)) };
      }),
    getMany: ({ resource: name, ids }) =>
      on(name, async ({ entity, listPlan }) => {
        const filter = { conditions: [{ property: ID, operator: 'in', value: ids.map(toId) }] };
        const limit = Math.max(1, ids.length);
        const rows = await entities.list(entity.entityName, { fetchPlan: listPlan, filter, limit });
        return { data: rows.map((row) => toRecord(model, entity, row)) };
      }),
    aggregate: ({ resource: name, ...asked }) =>
      on(name, async ({ entity }) => ({ data: [...(await entities.aggregate(entity.entityName, asked))] })),
    create: ({ resource: name, variables }) =>
      on(name, async ({ entity, fetchPlan }) => {
        const created = await entities.create(entity.entityName, toInput(model, entity, variables), { fetchPlan });
        return { data: lastRead.keep(entity.entityName, toRecord(model, entity, created)) };
      }),
    createMany: ({ resource: name, variables }) =>
      on(name, async ({ entity, listPlan: fetchPlan }) => {
        const inputs = variables.map((values) => toInput(model, entity, values));
        const created = await entities.createMany(entity.entityName, inputs, { fetchPlan });
        return { data: created.map((each) => toRecord(model, entity, each)) };
      }),
    update: ({ resource: name, id, variables }) =>
      on(name, async ({ entity, fetchPlan }) => {
        const before = lastRead.find(entity.entityName, id, variables);
        const { id: _, ...changed } = toInput(model, entity, variables, before) as Record<string, unknown>;
        const ifMatch = tagOfVersion(variables.version === undefined ? before : variables);
        const updated = await entities.update(entity.entityName, toId(id), changed, { fetchPlan, ifMatch });
        return { data: lastRead.keep(entity.entityName, toRecord(model, entity, updated)) };
      }),
    updateMany: ({ resource: name, ids, variables }) =>
      on(name, async ({ entity, listPlan: fetchPlan }) => {
        const input = toInput(model, entity, variables);
        const values = ids.map((id) => ({ ...input, id: toId(id) }));
        const updated = await entities.updateMany(entity.entityName, values, { fetchPlan });
        for (const id of ids) lastRead.forget(entity.entityName, id);
        return { data: updated.map((each) => toRecord(model, entity, each)) };
      }),
    deleteOne: ({ resource: name, id, meta }) =>
      on(name, async ({ entity }) => {
        await entities.remove(entity.entityName, toId(id), removalOf(meta));
        lastRead.forget(entity.entityName, id);
        return { data: { id } };
      }),
    deleteMany: ({ resource: name, ids, meta }) =>
      on(name, async ({ entity }) => {
        await entities.removeMany(entity.entityName, ids.map(toId), removalOf(meta));
        for (const id of ids) lastRead.forget(entity.entityName, id);
        return { data: ids.map((id) => ({ id })) };
      }),
    getApiUrl: () => `${options.client.connection.baseUrl}${options.client.connection.paths.entities}`,
  };
}

/** Rejects with an `HttpError` of Refine: `statusCode`, and `errors` for the fields of the form. */
function httpErrors(cause: unknown): never {
  if (cause instanceof Error && (cause.name === 'AbortError' || !('code' in cause))) throw cause;
  const { message, status, code, fields } = fieldErrorsOf(cause);
  throw Object.assign(new Error(message, { cause }), {
    statusCode: status,
    code,
    ...(Object.keys(fields).length > 0 && { errors: fields }),
  });
}

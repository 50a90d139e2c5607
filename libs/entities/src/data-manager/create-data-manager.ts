import type { ApplicationData, Instance, LoadOptions, MailAttachment } from '@lintel/application';
import { PlatformError, shortened } from '@lintel/errors';
import { type Entity, entityOf, type Model } from '@lintel/metadata';
import {
  AGGREGATE_MEMBERS,
  assertReadable,
  type ExactJson,
  ExactNumber,
  type ExactObject,
  idOf,
  isExactObject,
  keyInSql,
  type ParsedQuery,
  pageOf,
  parseAggregates,
  parseRead,
  readExactJson,
  UNLIMITED,
} from '@lintel/query';
import {
  bindRead,
  executeCount,
  executeRows,
  fileKeyOf,
  noteRead,
  type PreparedRead,
  prepareRead,
  readOne,
  shapeRows,
} from '@lintel/reading';
import { assertRows } from '../write/authorize/assert-rows.ts';
import { notFound } from '../write/authorize/load-for-change.ts';
import { restoredItem } from '../write/bin/restored-item.ts';
import { type ParseContext, parseInstance } from '../write/parse/parse-instance.ts';
import { keyMemberOf, readKey } from '../write/parse/parse-key.ts';
import type { Saved } from '../write/read-back/read-saved.ts';
import type { StoredRow } from '../write/rows/rows.ts';
import { deleteRows, toDeletions } from '../write/save/delete-rows.ts';
import { saveInstances } from '../write/save/save-instances.ts';
import { publishOwnEvent } from '../write/scope/scope-events.ts';
import type { ScopeJobs } from '../write/scope/scope-jobs.ts';
import { sendNotification } from '../write/scope/scope-notifications.ts';
import type { WriteScope } from '../write/scope/write-scope.ts';
import { applicationForm } from '../write/values/application-form.ts';
import type { Key } from '../write/values/value.ts';
import type { DataContext, WriteLimits } from './data-context.ts';

/** Values of application code in the form that parsing expects. */
const exact = (value: unknown): ExactJson => readExactJson(JSON.stringify(value) ?? 'null');

const PARSING = { inlineFetchPlansEnabled: true } as const;

/** Pages of all groups are read by `limit` and `offset`. */
const ASKED = AGGREGATE_MEMBERS.filter((member) => member !== 'cursor' && member !== 'returnCount');

/** The data API of application code, without the methods that choose another connection or caller. */
export type PlacedData = Omit<ApplicationData, 'unconstrained' | 'inTransaction' | 'dataSource'>;

/** Reads and writes through the same stages as any request, with the rights and in the transaction of the context. */
export function createDataManager(context: DataContext): PlacedData {
  const model = context.read.currentModel();
  return {
    ...readsOf(context, model),
    ...writesOf(context, model),
    jobs: jobsOf(context),
    events: eventsOf(context),
    mails: mailsOf(context),
    notifications: { send: (options) => context.write((scope) => sendNotification(scope, options)) },
  };
}

/** @throws PlatformError REQ_INVALID_ENTITY_ID for an id of another form than the key of the entity */
function keyOf(model: Model, entity: Entity, id: unknown): Key {
  const key = readKey(model, entity, exact(id));
  if (key === undefined)
    throw new PlatformError('REQ_INVALID_ENTITY_ID', `Cannot convert ${textOf(id)} into valid entity ID`);
  return key;
}

function readsOf(context: DataContext, model: Model): Pick<PlacedData, 'load' | 'loadList' | 'count' | 'aggregate'> {
  const instanceOf = (entity: Entity, json: string): Instance => {
    const { id, ...members } = applicationForm(model, entity, readExactJson(json));
    return { id, ...members };
  };
  const readable = (name: string, { deleted }: Pick<LoadOptions, 'deleted'> = {}): Entity => {
    const entity = entityOf(model, name);
    assertReadable(entity, context.access.read);
    if (deleted !== undefined) context.assertMayReadBin(entity);
    return entity;
  };
  const parsedOf = ({ name }: Entity, operation: 'instance' | 'list' | 'count', options: LoadOptions) =>
    parseRead({ operation, entityName: name, members: membersOf(options, operation) }, PARSING, UNLIMITED);
  const preparedOf = (parsed: ParsedQuery) => {
    const isUnlimited = parsed.limit === undefined && parsed.offset === undefined;
    const read = prepareRead(parsed, model, context.access, context.read, { isUnlimited });
    return { isUnlimited, read, page: pageOf(parsed, Number.MAX_SAFE_INTEGER) };
  };
  const rowsOf = async (read: PreparedRead, page: Parameters<typeof bindRead>[2]): Promise<readonly string[]> => {
    const statement = bindRead(read, read.compiled.rows, page);
    const rows = await executeRows(statement, read, context.runner, context.signal);
    return shapeRows(read, rows, (json) => json);
  };
  return {
    async load(name, id, options = {}) {
      const entity = readable(name, options);
      const key = keyInSql(model, entity, keyOf(model, entity, id));
      const read = prepareRead(parsedOf(entity, 'instance', options), model, context.access, context.read);
      const found = await readOne(read, key, context.runner, context.signal);
      return found === undefined ? undefined : instanceOf(entity, found.json);
    },
    async loadList(name, options = {}) {
      const entity = readable(name, options);
      const { read, isUnlimited, page } = preparedOf(parsedOf(entity, 'list', options));
      // Predicates choose the rows, so the page is cut after them.
      const isPagedHere = read.compiled.isFiltered && !isUnlimited;
      const rows = await rowsOf(read, isUnlimited || isPagedHere ? {} : { page });
      const shown = isPagedHere ? rows.slice(page.offset, page.offset + page.limit) : rows;
      await noteRead(read, shown);
      return shown.map((json) => instanceOf(entity, json));
    },
    async count(name, options = {}) {
      const { read } = preparedOf(parsedOf(readable(name, options), 'count', options));
      if (read.compiled.isFiltered) return (await rowsOf(read, {})).length;
      const statement = bindRead(read, read.compiled.count());
      return executeCount(statement, read, context.runner, context.signal);
    },
    async aggregate(name, question) {
      const given = exact(question);
      const members = isExactObject(given) ? given : {};
      const asked = { entityName: readable(name).name, members };
      const other = Object.keys(members).find((member) => !ASKED.includes(member));
      if (other !== undefined)
        throw new PlatformError('REQ_INVALID_PARAMETER', `Aggregates have no '${shortened(other)}'`);
      const { read, isUnlimited, page } = preparedOf(parseAggregates(asked, PARSING, UNLIMITED));
      const rows = await rowsOf(read, isUnlimited ? {} : { page });
      await noteRead(read, rows);
      return rows.map((json) => {
        const all = Object.entries(readExactJson(json) as ExactObject);
        return Object.fromEntries(all.map(([key, value]) => [key, value instanceof ExactNumber ? value.text : value]));
      });
    },
  };
}

function jobsOf(context: DataContext): PlacedData['jobs'] {
  const declared = ({ jobs }: WriteScope, name: string): ScopeJobs => {
    if (jobs === undefined) throw new RangeError(`There is no job ${name}: the application declares none`);
    return jobs;
  };
  return {
    enqueue: (name, args = {}, options = {}) =>
      context.write((scope) => declared(scope, name).enqueue(scope, name, args, options)),
    cancel: (name, run) => context.write((scope) => declared(scope, name).cancel(scope, name, run)),
  };
}

const eventsOf = (context: DataContext): PlacedData['events'] => ({
  publish: ({ type }, subject, data) => context.write(async (scope) => publishOwnEvent(scope, type, subject, data)),
});

const mailsOf = (context: DataContext): PlacedData['mails'] => ({
  send: (name, options) =>
    context.write(async (scope, { rights }) => {
      if (scope.mails === undefined) throw new RangeError(`There is no mail ${name}: the application declares none`);
      await assertMayAttach(options.attachments, rights);
      return scope.mails.send(scope, name, options);
    }),
});

/** @throws PlatformError FILE_INVALID_REFERENCE for stored files that the caller may not read */
async function assertMayAttach(
  attachments: readonly MailAttachment[] = [],
  { unreadableFiles }: WriteLimits['rights'],
): Promise<void> {
  const fileRefs = attachments.flatMap((each) => ('fileRef' in each ? [each.fileRef] : []));
  if (unreadableFiles === undefined || fileRefs.length === 0) return;
  const unreadable = await unreadableFiles(fileRefs);
  const refused = fileRefs.find((fileRef) => unreadable.has(fileKeyOf(fileRef)));
  if (refused !== undefined) throw new PlatformError('FILE_INVALID_REFERENCE', `The caller may not read '${refused}'`);
}

function writesOf(
  context: DataContext,
  model: Model,
): Pick<PlacedData, 'create' | 'update' | 'save' | 'remove' | 'restore'> {
  return {
    create(name, values) {
      const entity = entityOf(model, name);
      return context.write(async (scope, limits) =>
        savedId(scope, await createOne(scope, limits, entity, exact(values))),
      );
    },
    update(name, id, values) {
      const entity = entityOf(model, name);
      const key = keyOf(model, entity, id);
      return context.write(async (scope, limits) => {
        limits.assertAllowed(entity, 'update');
        const stored = await limits.loadForChange(entity, key, 'update');
        if (stored === undefined) throw notFound(entity, textOf(id));
        await updateOne(scope, limits, stored, exact(values));
      });
    },
    save(name, values) {
      const entity = entityOf(model, name);
      const json = exact(values);
      const id = isExactObject(json) ? keyMemberOf(entity, json) : undefined;
      return context.write(async (scope, limits) => {
        const stored =
          id === undefined ? undefined : await limits.loadForChange(entity, keyOf(model, entity, id), 'update');
        if (stored === undefined) return savedId(scope, await createOne(scope, limits, entity, json));
        limits.assertAllowed(stored.entity, 'update');
        return savedId(scope, await updateOne(scope, limits, stored, json));
      });
    },
    restore(name, id) {
      const entity = entityOf(model, name);
      const key = keyOf(model, entity, id);
      return context.write(async (scope, own) => {
        own.assertAllowed(entity, 'update');
        const limits = own.inBin(entity, 'restore');
        const stored = await limits.loadForChange(entity, key, 'update');
        if (stored === undefined) throw notFound(entity, textOf(id));
        limits.assertAllowed(stored.entity, 'update');
        await saveInstances(scope, limits.rights, 'update', [await restoredItem(scope, stored)]);
      });
    },
    remove(name, id, { deleted } = {}) {
      const entity = entityOf(model, name);
      const key = keyOf(model, entity, id);
      const isPurge = deleted === 'only';
      return context.write(async (scope, own) => {
        own.assertAllowed(entity, 'delete');
        const limits = isPurge ? own.inBin(entity, 'purge') : own;
        const stored = await limits.loadForChange(entity, key, 'delete');
        if (stored === undefined) throw notFound(entity, textOf(id));
        limits.assertAllowed(stored.entity, 'delete');
        await assertRows(limits.rights, 'stored', [stored], toDeletions);
        await deleteRows(scope, [stored], { ...limits.rights, isPurge });
      });
    },
  };
}

const contextOf = ({ model }: WriteScope): ParseContext => ({
  model,
  mode: 'other',
  readsVersion: false,
  byApplication: true,
});

async function createOne(scope: WriteScope, limits: WriteLimits, entity: Entity, json: ExactJson): Promise<Saved> {
  const input = parseInstance(contextOf(scope), entity, json, '');
  if (input.entity.abstract) throw new Error(`${input.entity.name} has no instances of its own`);
  limits.assertAllowed(input.entity, 'create');
  const item = { input: limits.allowedPart(input), stored: undefined };
  return only(await saveInstances(scope, limits.rights, 'create', [item]));
}

async function updateOne(scope: WriteScope, limits: WriteLimits, stored: StoredRow, json: ExactJson): Promise<Saved> {
  limits.assertAllowed(stored.entity, 'update');
  const input = parseInstance(contextOf(scope), stored.entity, withoutId(json), '');
  const item = { input: { ...limits.allowedPart(input), key: stored.key }, stored };
  return only(await saveInstances(scope, limits.rights, 'update', [item]));
}

function only(saved: readonly Saved[]): Saved {
  const [one] = saved;
  if (one === undefined) throw new Error('A save of one instance saved none');
  return one;
}

const savedId = (scope: WriteScope, { entity, key }: Saved): unknown => idOf(scope.model, entity, key);

const textOf = (id: unknown): string => (typeof id === 'string' ? id : JSON.stringify(id));

function membersOf(options: LoadOptions, operation: 'instance' | 'list' | 'count'): ExactObject {
  const { filter, q, fetchPlan, sort, limit, offset, dynamicAttributes, deleted } = options;
  const members = exact(
    operation === 'count'
      ? { filter, q, deleted }
      : { filter, q, fetchPlan: fetchPlan ?? '_base', sort, limit, offset, dynamicAttributes, deleted },
  );
  return isExactObject(members) ? members : {};
}

function withoutId(json: ExactJson): ExactJson {
  if (!isExactObject(json)) return json;
  const { id: _id, _entityName, ...rest } = json;
  return rest;
}

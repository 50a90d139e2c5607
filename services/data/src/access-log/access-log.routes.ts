import { ACCESS_LOG_PATH, INTEGERS, KEY_TEXT } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { listAccess } from '@lintel/history';
import { contextOf, sendJson } from '@lintel/http';
import { rootOf } from '@lintel/metadata';
import { assertReadable } from '@lintel/query';
import type { Router } from 'express';
import { type HistoryOptions, linkTo, type RecordKind, receiveEntities } from '../history/history.routes.ts';
import { momentOf } from '../receiving/receive-moment.ts';
import { numberOf } from '../receiving/receive-number.ts';
import { textOf } from '../receiving/receive-user.ts';

const ACCESS: RecordKind = {
  name: 'access log',
  isRecorded: ({ accessLog }) => accessLog !== undefined,
  permission: 'access-log.read',
};

/** Who has read which instances (contract/access-log.md#list). */
export function registerAccessLogRoute(router: Router, options: HistoryOptions): void {
  const { read } = options;
  router.get(ACCESS_LOG_PATH, async (request, response) => {
    const { entities, reading } = await receiveEntities(request, response, options, ACCESS);
    const { kind, username } = contextOf(request, response).principal;
    const id = textOf(request, 'id', KEY_TEXT);
    if (id !== undefined && textOf(request, 'entity') === undefined)
      throw new PlatformError('REQ_INVALID_PARAMETER', 'id needs entity: it is an id of that entity');
    const roots = [...new Set(entities.map((entity) => rootOf(reading.model, entity)))];
    // The entries of a tree name instances of all of its entities.
    for (const root of roots) assertReadable(root, reading.access.read);
    const scope = JSON.stringify([kind, username, 'access', roots.map(({ name }) => name)]);
    const cursor = textOf(request, 'cursor', KEY_TEXT);
    const before = cursor === undefined ? undefined : read.cursors.decode(cursor, scope).values;
    const filter = {
      id,
      user: textOf(request, 'user'),
      from: momentOf(request, 'from'),
      to: momentOf(request, 'to'),
    };
    const page = { limit: numberOf(request, INTEGERS.accessLog), before };
    const { entries, next } = await listAccess(roots, filter, page, reading);
    linkTo(next, scope, { request, response, read });
    sendJson(
      response,
      200,
      entries.map(({ id: _, ...entry }) => withoutNulls(entry)),
    );
  });
}

const withoutNulls = (entry: object): object =>
  Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null));

import { entityOf, type Model } from '@lintel/metadata';
import { idJson } from '../entity-change.ts';
import type { VisibleChange } from '../visible-changes.ts';

/**
 * A change as an event of the stream (WHATWG HTML, server-sent events). A client resumes after `id`.
 *
 * @param username the receiver: the trace of a request is sent to the user who has made it, and to no other
 */
export function changeFrame(change: VisibleChange, model: Model, id: string, username: string): string {
  const { entity, kind, attributes, origin } = change;
  const key = idJson(model, entityOf(model, entity), change.id);
  const named = kind === 'removed' || kind === 'deleted' ? '' : `,"attributes":${JSON.stringify(attributes)}`;
  const trace = origin?.username === username ? `,"trace":"${origin.traceId}"` : '';
  const data = `{"entity":${JSON.stringify(entity)},"id":${key},"change":"${kind}"${named}${trace}}`;
  return `event: ${kind}\nid: ${id}\ndata: ${data}\n\n`;
}

/** Informs the client that changes were missed: the data that it has read may be outdated. */
export const resetFrame = (id: string): string => `event: reset\nid: ${id}\ndata: {}\n\n`;

/** Keeps idle connections open; clients see no event, but resume after `id`. */
export const heartbeatFrame = (id: string): string => `id: ${id}\n:\n\n`;

/** The first frame: how long a disconnected client waits, and the id with which it resumes before the first event. */
export const openingFrame = (id: string, retryMs: number): string => `retry: ${retryMs}\nid: ${id}\n\n`;

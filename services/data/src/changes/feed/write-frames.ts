import { entityOf, type Model } from '@lintel/metadata';
import { idJson } from '../entity-change.ts';
import type { VisibleChange } from '../visible-changes.ts';

/** A change as an event of the stream (WHATWG HTML, server-sent events). `id` is what a client resumes behind. */
export function changeFrame(change: VisibleChange, model: Model, id: string): string {
  const { entity, kind, attributes } = change;
  const key = idJson(model, entityOf(model, entity), change.id);
  const named = kind === 'removed' || kind === 'deleted' ? '' : `,"attributes":${JSON.stringify(attributes)}`;
  const data = `{"entity":${JSON.stringify(entity)},"id":${key},"change":"${kind}"${named}}`;
  return `event: ${kind}\nid: ${id}\ndata: ${data}\n\n`;
}

/** Tells the client that changes were missed: what it has read before may be outdated. */
export const resetFrame = (id: string): string => `event: reset\nid: ${id}\ndata: {}\n\n`;

/** Keeps connections from being taken for dead; clients see no event, but resume behind `id`. */
export const heartbeatFrame = (id: string): string => `id: ${id}\n:\n\n`;

/** The first words: how long a client that was cut off waits, and where it resumes if nothing else comes. */
export const openingFrame = (id: string, retryMs: number): string => `retry: ${retryMs}\nid: ${id}\n\n`;

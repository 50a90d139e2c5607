import { RestError } from '@lintel/client';
import { captionOf } from '../../../context.ts';

type CaptionModel = Parameters<typeof captionOf>[0];

/** An instance that has changed since, with what of it. */
export interface UndoConflict {
  readonly entity: string;
  readonly id: string;
  /** Captions, or `created` or `deleted` for the whole instance. */
  readonly parts: readonly string[];
}

/** `<entity> <id as JSON>: <names>` of the error of an undo (contract/history.md#undo). */
const CONFLICT = /(\w+) ("(?:[^"\\]|\\.)*"|-?\d+|\{.*?\}): (.*?)(?=; \w+ ["{\d-]|$)/g;

/** Whole instances instead of attributes. */
export const WHOLE: ReadonlySet<string> = new Set(['created', 'deleted']);

/** The conflicts that an error of an undo names; empty for other errors. */
export function undoConflicts(model: CaptionModel, error: unknown): readonly UndoConflict[] {
  const [, list] = error instanceof RestError ? (/^Changed since: (.*)$/s.exec(error.details) ?? []) : [];
  return [...(list ?? '').matchAll(CONFLICT)].map(([, entity = '', id = '', names = '']) => ({
    entity,
    id: id.startsWith('"') ? String(JSON.parse(id)) : id,
    parts: [...new Set(names.split(', ').map((name) => (WHOLE.has(name) ? name : captionOfPath(model, entity, name))))],
  }));
}

/** `number`, or `lines[<id>].quantity`: the caption of the attribute of the instance. */
const captionOfPath = (model: CaptionModel, entity: string, path: string): string =>
  captionOf(model, entity, path.replace(/[[.].*/s, ''));

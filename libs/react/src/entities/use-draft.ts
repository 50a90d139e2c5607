import { useCallback, useState } from 'react';
import { type Values, withValueAt } from '../draft/values.ts';
import { withoutPath } from '../draft/violation-paths.ts';

/** Values with their version. */
export interface StoredInstance {
  /** The attributes of the fetch plan, as the server has sent them. */
  readonly values: Values;
  /** Undefined where the entity has no version. */
  readonly tag: string | undefined;
}

const NONE: ReadonlyMap<string, string> = new Map<string, never>();

/** The input for an instance: what it began with, the values with the input, and what the service says about them. */
export function useDraft(initial: StoredInstance) {
  const [stored, setStored] = useState(initial);
  const [values, setValues] = useState(initial.values);
  const [violations, setViolations] = useState(NONE);

  const set = useCallback((path: string, value: unknown) => {
    setValues((before) => withValueAt(before, path, value));
    setViolations((before) => withoutPath(before, path));
  }, []);

  const addStored = useCallback((path: string, value: unknown) => {
    setStored((before) => ({ ...before, values: withValueAt(before.values, path, value) }));
    setValues((before) => withValueAt(before, path, value));
  }, []);

  function begin(from: StoredInstance, draft: Values): void {
    setStored(from);
    setValues(draft);
  }

  const clearViolations = () => setViolations(NONE);

  return { stored, values, violations, setViolations, clearViolations, set, addStored, begin };
}

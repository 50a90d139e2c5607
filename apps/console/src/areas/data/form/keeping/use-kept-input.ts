import { useLogin, type Values } from '@lintel/react';
import { useCallback, useEffect, useState } from 'react';
import { useModel } from '../../../../context.ts';

/** Input that was not saved, with what it began with. */
export interface KeptInput {
  readonly base: Values;
  readonly tag: string | undefined;
  readonly draft: Values;
  /** In milliseconds. */
  readonly at: number;
}

/**
 * Keeps the input of a form in this tab until it is saved or discarded: also while other pages are shown, and when the
 * page is loaded again. A logout removes it.
 *
 * @param id undefined for a new instance
 * @param isKept whether it is kept at all: that of a form above another one is not
 */
export function useKeptInput(entity: string, id: string | undefined, isKept: boolean) {
  const { user } = useModel();
  const { inputs } = useLogin();
  const key = JSON.stringify([user.username, entity, id ?? null]);
  const [offered, setOffered] = useState(() => (isKept ? read(inputs.getItem(key)) : undefined));
  const keep = useCallback(
    (input: Omit<KeptInput, 'at'>) => {
      if (isKept) inputs.setItem(key, JSON.stringify({ ...input, at: Date.now() }));
    },
    [inputs, key, isKept],
  );
  const forget = useCallback(() => {
    if (isKept) inputs.removeItem(key);
    setOffered(undefined);
  }, [inputs, key, isKept]);
  // That of another user of this tab is of no use.
  useEffect(
    () => inputs.keepOnly((other) => other.startsWith(`${JSON.stringify([user.username]).slice(0, -1)},`)),
    [inputs, user.username],
  );
  return { offered, keep, forget, close: () => setOffered(undefined) };
}

const read = (text: string | null): KeptInput | undefined =>
  text === null ? undefined : (JSON.parse(text) as KeptInput);

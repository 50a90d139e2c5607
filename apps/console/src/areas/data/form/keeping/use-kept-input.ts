import { useLogin, type Values } from '@lintel/react';
import { useCallback, useEffect, useState } from 'react';
import { useModel } from '../../../../model/model-provider.tsx';

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
 */
export function useKeptInput(entity: string, id: string | undefined) {
  const { user } = useModel();
  const { inputs } = useLogin();
  const key = JSON.stringify([user.username, entity, id ?? null]);
  const [offered, setOffered] = useState(() => read(inputs.getItem(key)));
  const keep = useCallback(
    (input: Omit<KeptInput, 'at'>) => inputs.setItem(key, JSON.stringify({ ...input, at: Date.now() })),
    [inputs, key],
  );
  const forget = useCallback(() => {
    inputs.removeItem(key);
    setOffered(undefined);
  }, [inputs, key]);
  // That of another user of this tab is of no use.
  useEffect(
    () => inputs.keepOnly((other) => other.startsWith(`${JSON.stringify([user.username]).slice(0, -1)},`)),
    [inputs, user.username],
  );
  return { offered, keep, forget, close: () => setOffered(undefined) };
}

const read = (text: string | null): KeptInput | undefined =>
  text === null ? undefined : (JSON.parse(text) as KeptInput);

import type { Client } from '@lintel/client';

/** Replicas of the server have a change within a second. */
export const REPLICAS_FOLLOW_MS = 1_500;

const ENTITY = 'sys_Message';

/** Texts of the database in one locale, by the keys of their messages. */
export interface StoredTexts {
  /** Adds or changes the text. */
  save(key: string, text: string): Promise<void>;
  /** Removes it: the text of the file is shown again. */
  reset(key: string): Promise<void>;
}

/** The texts that administrators store. */
export function createStoredTexts(client: Client, locale: string): StoredTexts {
  const find = async (key: string): Promise<string | undefined> => {
    const filter = {
      conditions: [
        { property: 'key', operator: '=', value: key },
        { property: 'locale', operator: '=', value: locale },
      ],
    };
    const { items } = await client.page(ENTITY, { filter, fetchPlan: '_local', limit: 1 } as never);
    const [found] = items as unknown as readonly { readonly id: string }[];
    return found?.id;
  };
  return {
    async save(key, text) {
      const id = await find(key);
      if (id === undefined) await client.create(ENTITY, { key, locale, text });
      else await client.update(ENTITY, id, { text });
    },
    async reset(key) {
      const id = await find(key);
      if (id !== undefined) await client.remove(ENTITY, id);
    },
  };
}

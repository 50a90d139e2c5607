/** Whether a column of PostgreSQL can store a text: it has no NUL, and no half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Whether the operators of PostgreSQL can read what `JSON.stringify` returned: no text in it has such characters. */
export const isStorableJson = (json: string): boolean => !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(json);

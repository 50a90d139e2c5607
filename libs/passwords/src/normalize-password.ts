/** One form for all spellings of a password (NFKC): keyboards of different systems send `é` as one or two characters. */
export const normalizePassword = (text: string): string => text.normalize('NFKC');

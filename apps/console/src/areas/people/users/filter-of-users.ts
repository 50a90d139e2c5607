const SEARCHED = ['username', 'firstName', 'lastName', 'email'] as const;

/** Users with all of the words in one of the attributes that the caller may see. */
export function filterOfUsers(words: string, mayView: (attribute: string) => boolean) {
  const attributes = SEARCHED.filter(mayView);
  const parts = words.split(/\s+/).filter((word) => word !== '');
  return {
    conditions: parts.map((value) => ({
      group: 'OR' as const,
      conditions: attributes.map((property) => ({ property, operator: 'contains' as const, value })),
    })),
  };
}

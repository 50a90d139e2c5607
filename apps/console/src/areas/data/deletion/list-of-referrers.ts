/** The link to the list of the instances whose reference leads to an instance. */
export const listOfReferrers = (entity: string, attribute: string, id: unknown) => ({
  to: `/data/${entity}`,
  // The router knows the types of no area.
  search: () => ({ filter: { conditions: [{ property: attribute, operator: '=', value: id }] } }) as never,
});

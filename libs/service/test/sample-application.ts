/** What `readConfiguration` takes for an application. */
export default { id: 'sample', model: { entities: new Map() }, resourceRoles: new Map() };

export { DynamicAttributesPage } from './dynamic-attributes/dynamic-attributes-page.tsx';
export { EntitiesPage } from './entities-page.tsx';
export { EntityPage } from './entity-page.tsx';

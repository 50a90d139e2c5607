import { IconSitemap } from '@tabler/icons-react';
import { defineArea } from '../../shell/area.ts';
import { readableEntities } from '../data/readable-entities.ts';

// One chunk for all pages: each further one makes the first load longer.
const pages = () => import('./pages.ts');

/** The model: entities with their attributes and relations, to click through. */
export const modelArea = defineArea({
  name: 'model',
  icon: IconSitemap,
  isShown: (model) => readableEntities(model).length > 0,
  pages: [
    { path: '/', load: async () => (await pages()).EntitiesPage },
    { path: 'diagram', load: async () => (await import('./diagram/diagram-page.tsx')).DiagramPage },
    { path: 'dynamic-attributes', load: async () => (await pages()).DynamicAttributesPage },
    { path: '$entity', load: async () => (await pages()).EntityPage },
  ],
  commands: ({ rights }) => [
    { id: 'model:diagram', label: { key: 'model.diagramTitle' }, to: 'model/diagram' },
    ...(rights.may('dynat_Category', 'read')
      ? [{ id: 'model:dynamic-attributes', label: { key: 'dynamic.title' }, to: 'model/dynamic-attributes' }]
      : []),
  ],
});

import { IconSitemap } from '@tabler/icons-react';
import { defineArea } from '../area.ts';
import { readableEntities } from '../data/readable-entities.ts';

/** The model: entities with their attributes and relations, to click through. */
export const modelArea = defineArea({
  name: 'model',
  icon: IconSitemap,
  isShown: (model) => readableEntities(model).length > 0,
  pages: [
    { path: '/', load: async () => (await import('./entities-page.tsx')).EntitiesPage },
    { path: '$entity', load: async () => (await import('./entity-page.tsx')).EntityPage },
  ],
});

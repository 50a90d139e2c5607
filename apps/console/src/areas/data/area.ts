import type { FoundInstances } from '@lintel/client';
import { idSegment } from '@lintel/react';
import { IconDatabase } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { captionOf } from '../../model/model.ts';
import { defineArea } from '../../shell/area.ts';
import { instancePath } from './instance-path.ts';
import { listedEntities } from './readable-entities.ts';

/** A page with the texts that are loaded later. */
async function later(load: () => Promise<ComponentType>): Promise<ComponentType> {
  const [Page, { withMoreTexts }] = await Promise.all([load(), import('./more/with-more-texts.tsx')]);
  return withMoreTexts(Page);
}

/** A part of a text that was found, if the name has it not. */
const partOf = ({ _instanceName, _highlights = [] }: FoundInstances['instances'][number]): string | undefined =>
  _highlights
    .flatMap(({ fragments }) => fragments.map((texts) => texts.join('')))
    .find((text) => !_instanceName.includes(text.trim()));

/** The instances of the application: lists and forms made from metadata. */
export const dataArea = defineArea({
  name: 'data',
  icon: IconDatabase,
  isShown: (model) => listedEntities(model).length > 0,
  hasOwnStyles: true,
  pages: [
    { path: '/', load: async () => (await import('./entities-page.tsx')).EntitiesPage },
    { path: '$entity', load: async () => (await import('./list/list-page.tsx')).ListPage },
    { path: '$entity/new', load: () => later(async () => (await import('./form/form-page.tsx')).FormPage) },
    { path: '$entity/bin', load: () => later(async () => (await import('./bin/bin-page.tsx')).BinPage) },
    {
      path: '$entity/$id/history',
      load: () => later(async () => (await import('./history/history-page.tsx')).HistoryPage),
    },
    { path: '$entity/$id', load: () => later(async () => (await import('./form/form-page.tsx')).FormPage) },
  ],
  navigation: async () => (await import('./entity-navigation.tsx')).EntityNavigation,
  commands: (model) =>
    listedEntities(model).map(({ entityName }) => ({
      id: entityName,
      label: captionOf(model, entityName),
      description: entityName,
      to: `data/${entityName}`,
    })),
  find: async ({ model, query, signal }) => {
    const listed = new Set(listedEntities(model).map(({ entityName }) => entityName));
    return (await model.client.search(query, { signal, highlights: true }))
      .filter(({ entityName }) => listed.has(entityName))
      .flatMap(({ entityName, instances }) =>
        instances.map((instance) => ({
          id: `${entityName}:${idSegment(instance.id)}`,
          label: instance._instanceName,
          description: [captionOf(model, entityName), partOf(instance)].filter((each) => each !== undefined).join(': '),
          to: instancePath(entityName, instance.id).slice(1),
        })),
      );
  },
});

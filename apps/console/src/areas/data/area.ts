import type { FoundInstances } from '@lintel/client';
import { idSegment } from '@lintel/react';
import { IconDatabase } from '@tabler/icons-react';
import { captionOf } from '../../context.ts';
import { defineArea } from '../../shell/area.ts';
import { EntitiesPage } from './entities-page.tsx';
import { EntityNavigation } from './entity-navigation.tsx';
import { instancePath } from './instance-path.ts';
import { ListPage } from './list/list-page.tsx';
import { listedEntities } from './readable-entities.ts';

/** A part of a text that was found, if the name has it not. */
const partOf = ({ _instanceName, _highlights = [] }: FoundInstances['instances'][number]): string | undefined =>
  _highlights
    .flatMap(({ fragments }) => fragments.map((texts) => texts.join('')))
    .find((text) => !_instanceName.includes(text.trim()));

/** The instances of the application: lists and forms made from metadata. The first page and lists are part of the first load. */
export const dataArea = defineArea({
  name: 'data',
  icon: IconDatabase,
  isShown: (model) => listedEntities(model).length > 0,
  hasOwnStyles: true,
  pages: [
    { path: '/', load: async () => EntitiesPage },
    { path: '$entity', load: async () => ListPage },
    { path: '$entity/new', load: async () => (await import('./form/form-page.tsx')).FormPage },
    { path: '$entity/bin', load: async () => (await import('./bin/bin-page.tsx')).BinPage },
    { path: '$entity/$id/history', load: async () => (await import('./history/history-page.tsx')).HistoryPage },
    { path: '$entity/$id', load: async () => (await import('./form/form-page.tsx')).FormPage },
  ],
  navigation: async () => EntityNavigation,
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

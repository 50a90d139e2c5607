import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { captionOf, useLanguage, useModel } from '../../context.ts';
import { PageCards } from '../../controls/page-cards.tsx';
import { SearchWords } from '../../controls/search-words.tsx';
import { readableEntities } from '../data/readable-entities.ts';
import { relationsOf } from './relations.ts';

/** The entities of the model that the user may read. */
export function EntitiesPage() {
  const { text, locale } = useLanguage();
  const model = useModel();
  const [words, setWords] = useState('');
  const shown = readableEntities(model, locale).filter(({ entityName }) =>
    `${captionOf(model, entityName)} ${entityName}`.toLowerCase().includes(words.toLowerCase()),
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{text('model.title')}</Title>
        <Group gap="xs">
          <Button component={Link} to="/model/diagram" size="sm">
            {text('model.diagramTitle')}
          </Button>
          {model.rights.may('dynat_Category', 'read') && (
            <Button component={Link} to="/model/dynamic-attributes" size="sm">
              {text('dynamic.title')}
            </Button>
          )}
        </Group>
      </Group>
      <SearchWords label={text('model.find')} words={words} onChange={setWords} />
      {shown.length === 0 && <Text>{text('model.none')}</Text>}
      <PageCards
        pages={shown.map((entity) => ({
          to: `/model/${entity.entityName}`,
          name: captionOf(model, entity.entityName),
          about: [
            entity.entityName,
            text('model.attributes', { count: entity.properties.length }),
            text('model.relations', { count: relationsOf(entity).length }),
          ].join(' · '),
        }))}
      />
    </Stack>
  );
}

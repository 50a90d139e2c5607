import { Button, Group, SimpleGrid, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { captionOf, useLanguage, useModel } from '../../context.ts';
import { SearchWords } from '../../controls/search-words.tsx';
import { readableEntities } from '../data/readable-entities.ts';
import classes from './model.module.css';
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
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {shown.map((entity) => (
          <UnstyledButton
            key={entity.entityName}
            component={Link}
            to={`/model/${entity.entityName}`}
            className={classes['card']}
          >
            <Text fw={500}>{captionOf(model, entity.entityName)}</Text>
            <Text size="xs" c="dimmed">
              {entity.entityName} · {text('model.attributes', { count: entity.properties.length })} ·{' '}
              {text('model.relations', { count: relationsOf(entity).length })}
            </Text>
          </UnstyledButton>
        ))}
      </SimpleGrid>
    </Stack>
  );
}

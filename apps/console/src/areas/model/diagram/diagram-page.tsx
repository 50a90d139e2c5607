import { ActionIcon, Alert, Group, Stack, Text, Title } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useLanguage, useModel } from '../../../context.ts';
import { ChoiceField } from '../../../controls/forms.tsx';
import { TextLink } from '../../../controls/texts.tsx';
import { readableEntities } from '../../data/readable-entities.ts';
import { DiagramDrawing } from './diagram-drawing.tsx';
import { diagramGraph, groupOf } from './diagram-graph.ts';
import { layoutDiagram } from './layout-diagram.ts';

const ALL = '';
const SCALES = [0.5, 0.67, 0.8, 1, 1.25, 1.5];

/** The entities as a diagram with their relations; each box leads to its entity. */
export function DiagramPage() {
  const { text, locale } = useLanguage();
  const model = useModel();
  const navigate = useNavigate();
  // Undefined: as large as the page permits.
  const [chosen, setScale] = useState<number>();
  const { ref, width } = useElementSize();
  const entities = useMemo(() => readableEntities(model, locale), [model, locale]);
  const groups = [...Map.groupBy(entities, ({ entityName }) => groupOf(entityName))];
  // The application itself comes first: the largest group.
  const [largest = ''] = groups.toSorted(([, one], [, other]) => other.length - one.length)[0] ?? [];
  const { group = largest } = useSearch({ strict: false }) as { readonly group?: string };
  const graph = useMemo(
    () =>
      diagramGraph(
        entities.filter(({ entityName }) => group === ALL || groupOf(entityName) === group),
        (entity, attribute) => model.rights.mayView(entity, attribute),
      ),
    [entities, group, model],
  );
  const layout = useMemo(() => layoutDiagram(graph), [graph]);
  const fitting = SCALES.findLastIndex((scale) => scale <= 1 && layout.width * scale <= width);
  const scale = chosen ?? Math.max(0, fitting);
  return (
    <Stack ref={ref}>
      <div>
        <TextLink to="/model">{text('model.asList')}</TextLink>
        <Title order={1}>{text('model.diagramTitle')}</Title>
      </div>
      <Group align="flex-end">
        <ChoiceField
          label={text('model.group')}
          value={group}
          onChange={(value) => void navigate({ to: '.', search: { group: value } as never, replace: true })}
          data={[
            ...groups.map(([name, { length }]) => ({ value: name, label: `${name} (${length})` })),
            { value: ALL, label: text('model.allGroups', { count: entities.length }) },
          ]}
        />
        <ActionIcon
          size={36}
          aria-label={text('model.smaller')}
          disabled={scale === 0}
          onClick={() => setScale(scale - 1)}
        >
          <IconMinus size={16} />
        </ActionIcon>
        <ActionIcon
          size={36}
          aria-label={text('model.larger')}
          disabled={scale === SCALES.length - 1}
          onClick={() => setScale(scale + 1)}
        >
          <IconPlus size={16} />
        </ActionIcon>
      </Group>
      <Text size="sm">{text('model.diagramHelp')}</Text>
      {graph.nodes.length === 0 ? (
        <Alert color="yellow">{text('model.none')}</Alert>
      ) : (
        <DiagramDrawing graph={graph} layout={layout} scale={SCALES[scale] ?? 1} />
      )}
    </Stack>
  );
}

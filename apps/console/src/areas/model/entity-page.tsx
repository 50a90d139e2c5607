import { Alert, Anchor, Badge, Group, Stack, Table, Text, Title, UnstyledButton } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useText } from '../../language/text-provider.tsx';
import { captionOf } from '../../model/model.ts';
import { useModel } from '../../model/model-provider.tsx';
import { TranslateButton } from '../texts/translate-button.tsx';
import classes from './model.module.css';
import { type Relation, relationsOf, relationsTo } from './relations.ts';

/** An entity with the entities around it, and its attributes. */
export function EntityPage() {
  const { entity: name = '' } = useParams({ strict: false }) as { readonly entity?: string };
  const text = useText();
  const model = useModel();
  const { entities, rights } = model;
  const entity = entities.get(name);
  if (entity === undefined) return <Alert color="yellow">{text('model.unknown', { name })}</Alert>;
  const outgoing = relationsOf(entity, (attribute) => rights.mayView(name, attribute));
  const incoming = relationsTo(name, entities.values(), (other, attribute) => rights.mayView(other, attribute));
  const visible = entity.properties.filter((attribute) => rights.mayView(name, attribute.name));
  return (
    <Stack>
      <Group justify="space-between">
        <div>
          <Group gap="xs">
            <Title order={1} size="h2">
              {captionOf(model, name)}
            </Title>
            <TranslateButton target={name} label={text('model.translate', { name })} />
          </Group>
          <Text size="xs" c="dimmed">
            {name}
          </Text>
        </div>
        {rights.may(name, 'read') && (
          <Anchor component={Link} to={`/data/${name}`}>
            {text('model.data')}
          </Anchor>
        )}
      </Group>
      <section className={classes['diagram']} aria-label={text('model.diagram')}>
        <RelationList label={text('model.incoming')} relations={incoming} from={undefined} />
        <div className={classes['center']}>
          <Text fw={600}>{captionOf(model, name)}</Text>
          <Text size="xs" c="dimmed">
            {name}
          </Text>
        </div>
        <RelationList label={text('model.outgoing')} relations={outgoing} from={name} />
      </section>
      <Title order={2} size="h4">
        {text('model.attributeList')}
      </Title>
      <Table.ScrollContainer minWidth={560} type="native" tabIndex={0}>
        <Table aria-label={text('model.attributeList')} verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{text('model.name')}</Table.Th>
              <Table.Th>{text('model.caption')}</Table.Th>
              <Table.Th>{text('model.type')}</Table.Th>
              <Table.Th>{text('model.properties')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {visible.map(({ name: attribute, type, mandatory, readOnly, persistent }) => (
              <Table.Tr key={attribute}>
                <Table.Td>{attribute}</Table.Td>
                <Table.Td>
                  <Group gap={4} wrap="nowrap">
                    {captionOf(model, name, attribute)}
                    <TranslateButton
                      target={`${name}.${attribute}`}
                      label={text('model.translate', { name: attribute })}
                    />
                  </Group>
                </Table.Td>
                <Table.Td className={classes['wrapped']}>
                  {entities.has(type) ? (
                    <Anchor component={Link} to={`/model/${type}`} size="sm">
                      {type}
                    </Anchor>
                  ) : (
                    type
                  )}
                </Table.Td>
                <Table.Td>
                  <Group gap={4}>
                    {mandatory && (
                      <Badge variant="default" tt="none" fw={500}>
                        {text('model.mandatory')}
                      </Badge>
                    )}
                    {readOnly && (
                      <Badge variant="default" tt="none" fw={500}>
                        {text('model.readOnly')}
                      </Badge>
                    )}
                    {!persistent && (
                      <Badge variant="default" tt="none" fw={500}>
                        {text('model.computed')}
                      </Badge>
                    )}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}

interface RelationListProps {
  readonly label: string;
  readonly relations: readonly Relation[];
  /** The entity that has the attributes; undefined if it is the other one. */
  readonly from: string | undefined;
}

function RelationList({ label, relations, from }: RelationListProps) {
  const text = useText();
  const model = useModel();
  return (
    <div className={classes['side']}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      {relations.length === 0 && <Text size="sm">{text('model.noRelations')}</Text>}
      {relations.map(({ attribute, entity, cardinality, isComposition }) => (
        <UnstyledButton
          key={`${entity} ${attribute}`}
          component={Link}
          to={`/model/${entity}`}
          className={classes['card']}
        >
          <Group justify="space-between" wrap="nowrap" gap="xs">
            <Text size="sm" fw={500} className={classes['wrapped']}>
              {captionOf(model, entity)}
            </Text>
            <Badge variant="default" tt="none">
              {cardinality}
            </Badge>
          </Group>
          <Text size="xs" c="dimmed" className={classes['wrapped']}>
            {captionOf(model, from ?? entity, attribute)}
            {isComposition && ` · ${text('model.composition')}`}
          </Text>
        </UnstyledButton>
      ))}
    </div>
  );
}

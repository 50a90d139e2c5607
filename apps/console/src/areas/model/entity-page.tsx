import type { DetailedEntityInfo } from '@lintel/client';
import { Alert, Badge, Group, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { captionOf, useModel, useText } from '../../context.ts';
import { Hint, TextLink } from '../../controls/texts.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { TranslateButton } from '../texts/translate-button.tsx';
import classes from './model.module.css';
import { type Relation, relationsOf, relationsTo } from './relations.ts';

type Attribute = DetailedEntityInfo['properties'][number];

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
            <Title order={1}>{captionOf(model, name)}</Title>
            <TranslateButton target={name} label={text('model.translate', { name })} />
          </Group>
          <Hint>{name}</Hint>
        </div>
        {rights.may(name, 'read') && <TextLink to={`/data/${name}`}>{text('model.data')}</TextLink>}
      </Group>
      <section className={classes['diagram']} aria-label={text('model.diagram')}>
        <RelationList label={text('model.incoming')} relations={incoming} from={undefined} />
        <div className={classes['center']}>
          <Text fw={600}>{captionOf(model, name)}</Text>
          <Hint>{name}</Hint>
        </div>
        <RelationList label={text('model.outgoing')} relations={outgoing} from={name} />
      </section>
      <Title order={2}>{text('model.attributeList')}</Title>
      <AttributeTable entityName={name} attributes={visible} />
    </Stack>
  );
}

interface AttributeTableProps {
  readonly entityName: string;
  readonly attributes: readonly Attribute[];
}

function AttributeTable({ entityName, attributes }: AttributeTableProps) {
  const text = useText();
  const model = useModel();
  return (
    <DataTable
      label={text('model.attributeList')}
      minWidth={560}
      rows={attributes}
      keyOf={({ name }) => name}
      columns={[
        { caption: text('model.name'), cell: ({ name }) => name },
        {
          caption: text('model.caption'),
          cell: ({ name }) => (
            <Group gap={4} wrap="nowrap">
              {captionOf(model, entityName, name)}
              <TranslateButton target={`${entityName}.${name}`} label={text('model.translate', { name })} />
            </Group>
          ),
        },
        {
          caption: text('model.type'),
          wraps: true,
          cell: ({ type }) => (model.entities.has(type) ? <TextLink to={`/model/${type}`}>{type}</TextLink> : type),
        },
        { caption: text('model.properties'), cell: (attribute) => <Properties attribute={attribute} /> },
      ]}
    />
  );
}

function Properties({ attribute }: { readonly attribute: Attribute }) {
  const text = useText();
  const { mandatory, readOnly, persistent } = attribute;
  const properties = [
    mandatory && text('model.mandatory'),
    readOnly && text('model.readOnly'),
    !persistent && text('model.computed'),
  ];
  return (
    <Group gap={4}>
      {properties.map(
        (property) =>
          property !== false && (
            <Badge key={property} variant="default">
              {property}
            </Badge>
          ),
      )}
    </Group>
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
            <Badge variant="default">{cardinality}</Badge>
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

import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { captionOf, useModel, useText } from '../../../context.ts';
import classes from './diagram.module.css';
import type { DiagramEdge, DiagramGraph } from './diagram-graph.ts';
import { BOX, type DiagramLayout } from './layout-diagram.ts';
import { diagramLines } from './lines/diagram-lines.ts';

/** What fits into a box. */
const MAX_CHARACTERS = { caption: 21, name: 26 } as const;

interface DiagramDrawingProps {
  readonly graph: DiagramGraph;
  readonly layout: DiagramLayout;
  readonly scale: number;
}

/** The drawing. The relations of the entity that has the focus or the pointer are emphasized. */
export function DiagramDrawing({ graph, layout, scale }: DiagramDrawingProps) {
  const text = useText();
  const model = useModel();
  const [active, setActive] = useState<string>();
  const lines = useMemo(() => diagramLines(graph.edges, layout), [graph, layout]);
  const isActive = ({ from, to }: DiagramEdge): boolean => from === active || to === active;
  return (
    <section className={classes['frame']} aria-label={text('model.diagramTitle')}>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the section has the name, and each link its own */}
      <svg width={layout.width * scale} height={layout.height * scale} viewBox={`0 0 ${layout.width} ${layout.height}`}>
        {lines.map(({ edge, path }) => (
          <path
            key={keyOf(edge)}
            className={classes[isActive(edge) ? 'activeLine' : 'line']}
            d={path}
            strokeDasharray={edge.isComposition ? undefined : '5 3'}
          />
        ))}
        {/* After all lines, which they cover where there is no room. */}
        {lines.map(({ edge, start, end }) => {
          const [atStart = '', atEnd = ''] = edge.cardinality.split(':');
          return (
            <g key={keyOf(edge)} className={classes[isActive(edge) ? 'activeLabels' : 'labels']} aria-hidden>
              <text x={start.x} y={start.y}>
                {atStart}
              </text>
              <text x={end.x} y={end.y}>
                {atEnd}
              </text>
            </g>
          );
        })}
        {[...layout.nodes.values()].map(({ name, x, y }) => (
          <Link
            key={name}
            to={`/model/${name}` as string}
            className={classes['node'] ?? ''}
            aria-label={describe(name)}
            onFocus={() => setActive(name)}
            onBlur={() => setActive(undefined)}
            onMouseEnter={() => setActive(name)}
            onMouseLeave={() => setActive(undefined)}
          >
            <rect x={x} y={y} width={BOX.width} height={BOX.height} rx={6} />
            <text x={x + BOX.width / 2} y={y + 20} className={classes['caption']}>
              {shortened(captionOf(model, name), MAX_CHARACTERS.caption)}
            </text>
            {/* Between the words for screen readers. */}{' '}
            <text x={x + BOX.width / 2} y={y + 36} className={classes['name']}>
              {shortened(name, MAX_CHARACTERS.name)}
            </text>
          </Link>
        ))}
      </svg>
    </section>
  );

  /** The entity and its relations in words. */
  function describe(name: string): string {
    const relations = graph.edges
      .filter(({ from, to }) => from === name || to === name)
      .map(({ from, to, attribute, cardinality }) => `${from}.${attribute} ${cardinality} ${to}`);
    return [`${captionOf(model, name)} ${name}`, ...relations].join(', ');
  }
}

const keyOf = ({ from, attribute }: DiagramEdge): string => `${from}.${attribute}`;

const shortened = (name: string, length: number): string =>
  name.length > length ? `${name.slice(0, length - 1)}…` : name;

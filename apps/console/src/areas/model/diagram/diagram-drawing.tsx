import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useText } from '../../../language/text-provider.tsx';
import { captionOf } from '../../../model/model.ts';
import { useModel } from '../../../model/model-provider.tsx';
import classes from './diagram.module.css';
import type { DiagramEdge, DiagramGraph } from './diagram-graph.ts';
import { edgePath } from './edge-path.ts';
import { BOX, type DiagramLayout } from './layout-diagram.ts';
import { passagesOf } from './passages-of.ts';

const MAX_CHARACTERS = 22;

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
  const passages = useMemo(() => passagesOf(graph.edges, layout), [graph, layout]);
  const isActive = ({ from, to }: DiagramEdge): boolean => from === active || to === active;
  return (
    <section className={classes['frame']} aria-label={text('model.diagramTitle')}>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the section has the name, and each link its own */}
      <svg width={layout.width * scale} height={layout.height * scale} viewBox={`0 0 ${layout.width} ${layout.height}`}>
        {graph.edges.map((edge, at) => {
          const from = layout.nodes.get(edge.from);
          const to = layout.nodes.get(edge.to);
          if (from === undefined || to === undefined) return null;
          const { path, start, end } = edgePath(from, to, passages[at]);
          const [many = '', one = ''] = edge.cardinality.split(':');
          return (
            <g
              key={`${edge.from}.${edge.attribute}`}
              className={classes[isActive(edge) ? 'activeEdge' : 'edge']}
              aria-hidden
            >
              <path d={path} strokeDasharray={edge.isComposition ? undefined : '5 3'} />
              <text x={start.x} y={start.y}>
                {many}
              </text>
              <text x={end.x} y={end.y}>
                {one}
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
              {shortened(captionOf(model, name))}
            </text>
            {/* Between the words for screen readers. */}{' '}
            <text x={x + BOX.width / 2} y={y + 36} className={classes['name']}>
              {shortened(name)}
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

const shortened = (name: string): string =>
  name.length > MAX_CHARACTERS ? `${name.slice(0, MAX_CHARACTERS - 1)}…` : name;

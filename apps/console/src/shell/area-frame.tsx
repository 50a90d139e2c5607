import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useLanguage, useText } from '../context.ts';
import { ErrorAlert, Waiting } from '../errors/pending.tsx';
import { TextProvider } from '../language/text-provider.ts';
import { areaTexts } from './area-texts.ts';

interface AreaTextsProps {
  /** Name of the area. */
  readonly area: string;
  readonly children: React.ReactNode;
}

/** Gives its children the texts of an area, besides those of the shell. */
export function AreaTexts({ area, children }: AreaTextsProps) {
  const { locale, texts, fallback, change } = useLanguage();
  const { data, error, refetch } = useQuery(areaTexts(area, locale));
  const own = useMemo(
    () => data && { texts: { ...texts, ...data[0] }, fallback: { ...fallback, ...data[1] } },
    [data, texts, fallback],
  );
  if (error !== null) return <ErrorAlert error={error} onRetry={refetch} />;
  if (own === undefined) return <Waiting />;
  return (
    <TextProvider locale={locale} {...own} change={change}>
      {children}
    </TextProvider>
  );
}

/** The page of an area that is open. */
export const AreaFrame = ({ area }: { readonly area: string }) => (
  <>
    <FirstTitle area={area} />
    <AreaTexts area={area}>
      <Outlet />
    </AreaTexts>
  </>
);

/** The title of a page that has none of its own: while it is loaded, and if that fails. */
function FirstTitle({ area }: { readonly area: string }) {
  const text = useText();
  return (
    // biome-ignore lint/a11y/useSemanticElements: the first h1 of a page is its own
    <div role="heading" aria-level={1} className="first-title">
      {text(`area.${area}`)}
    </div>
  );
}

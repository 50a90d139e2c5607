import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { ErrorAlert } from '../errors/error-alert.tsx';
import { TextProvider, useLanguage } from '../language/text-provider.tsx';
import { areaTexts } from './area-texts.ts';
import { Waiting } from './waiting.tsx';

interface AreaTextsProps {
  readonly area: string;
  readonly children: React.ReactNode;
}

/** Gives its children the texts of an area, besides those of the shell. */
export function AreaTexts({ area, children }: AreaTextsProps) {
  const { locale, texts, fallback, change } = useLanguage();
  const { data, error, refetch } = useQuery(areaTexts(area, locale));
  if (error !== null) return <ErrorAlert error={error} onRetry={refetch} />;
  if (data === undefined) return <Waiting />;
  const [own, english] = data;
  return (
    <TextProvider locale={locale} texts={{ ...texts, ...own }} fallback={{ ...fallback, ...english }} change={change}>
      {children}
    </TextProvider>
  );
}

/** The page of an area that is open. */
export const AreaFrame = ({ area }: { readonly area: string }) => (
  <AreaTexts area={area}>
    <Outlet />
  </AreaTexts>
);

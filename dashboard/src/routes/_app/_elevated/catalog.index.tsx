import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { CatalogScreen } from '../../../features/catalog/catalog-screen';
import { categories, type CatalogFilter } from '../../../features/catalog/entries';

export const Route = createFileRoute('/_app/_elevated/catalog/')({
  validateSearch: ({ category, q, here }: Record<string, unknown>): CatalogFilter => ({
    category:
      typeof category === 'string' && category in categories
        ? (category as CatalogFilter['category'])
        : undefined,
    q: typeof q === 'string' && q !== '' ? q : undefined,
    here: here === true || undefined,
  }),
  component: Catalog,
});

function Catalog() {
  const navigate = useNavigate();
  return (
    <CatalogScreen
      filter={Route.useSearch()}
      onFilter={(search) => void navigate({ to: '/catalog', search, replace: true })}
    />
  );
}

import { createFileRoute } from '@tanstack/react-router';
import { PlanScreen } from '../../features/graph/plan-screen';

export const Route = createFileRoute('/_app/p/$key/plan')({ component: Plan });

function Plan() {
  const { key } = Route.useParams();
  return <PlanScreen key={key} project={key} />;
}

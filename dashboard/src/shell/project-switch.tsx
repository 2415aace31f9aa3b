import { useNavigate } from '@tanstack/react-router';
import type { Project } from '../api/types';
import { Button } from '../parts/button';
import { Menu } from '../parts/menu';
import styles from './topbar.module.css';

/** Chooses the project whose work is shown. */
export function ProjectSwitch({
  projects,
  current,
}: {
  projects: readonly Project[];
  current: string | null;
}) {
  const navigate = useNavigate();
  const project = projects.find(({ key }) => key === current);
  const items = projects.map(({ key, name }) => ({
    id: key,
    label: `${name} (${key})`,
    chosen: key === current,
    onSelect: () => void navigate({ to: '/p/$key/board', params: { key } }),
  }));
  const all = { id: 'all', label: 'All projects', onSelect: () => void navigate({ to: '/projects' }) };
  return (
    <Menu
      label="Projects"
      items={[...items, all]}
      trigger={
        <Button look="quiet" className={styles.switch} aria-label={`Project: ${project?.name ?? 'none'}`}>
          {project?.name ?? 'Projects'}
        </Button>
      }
    />
  );
}

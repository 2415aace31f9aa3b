import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { ProjectsModule } from '../projects/projects.module.js';
import { View } from './view.entity.js';
import { ViewsController, ViewsOfProjectController } from './views.controller.js';
import { ViewRepository, ViewsService } from './views.service.js';

/** Views of lists of issues that people keep (contract §5.2). */
@Module({
  imports: [TypeOrmModule.forFeature([View]), ProjectsModule],
  controllers: [ViewsController, ViewsOfProjectController],
  providers: [
    ViewRepository,
    { provide: getRepositoryToken(View), useExisting: ViewRepository },
    ViewsService,
  ],
})
export class ViewsModule {}

import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller } from '../../../platform/auth/caller.decorator.js';
import { Allow } from '../../../platform/auth/policy.js';
import type { Principal } from '../../../platform/auth/principal.js';
import { CarriesSecret } from '../../../platform/http/carries-secret.decorator.js';
import { pageRequest, tellPage } from '../../../platform/http/page.js';
import { PageQuery } from '../../../platform/http/page.query.js';
import { DeliveriesService } from './delivery/deliveries.service.js';
import { CreateWebhookRequest } from './dto/create-webhook.request.js';
import { DeliveryResponse } from './dto/delivery.response.js';
import { UpdateWebhookRequest } from './dto/update-webhook.request.js';
import { WebhookResponse, WebhookWithSecretResponse } from './dto/webhook.response.js';
import { WebhooksService } from './webhooks.service.js';

@ApiTags('Webhooks')
@Controller('api/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
  ) {}

  /** All webhooks, oldest first, without their secrets. */
  @Get()
  @Allow({ role: 'Admin' })
  async list(
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookResponse[]> {
    const page = await this.webhooks.list(pageRequest(query));
    tellPage(request, response, page);
    return page.rows.map(WebhookResponse.from);
  }

  /** Sends what happens from now on to an address; the answer holds the secret that signs it. */
  @Post()
  @Allow({ role: 'Admin' })
  @CarriesSecret()
  async create(
    @Caller() caller: Principal,
    @Body() body: CreateWebhookRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookWithSecretResponse> {
    const made = await this.webhooks.create(caller, body);
    response.location(`/api/webhooks/${made.row.id}`);
    return WebhookWithSecretResponse.of(made);
  }

  /** One webhook. */
  @Get(':webhookId')
  @Allow({ role: 'Admin' })
  async get(@Param('webhookId') webhookId: string): Promise<WebhookResponse> {
    return WebhookResponse.from(await this.webhooks.get(webhookId));
  }

  /** Changes a webhook; what is left out stays. */
  @Put(':webhookId')
  @Allow({ role: 'Admin' })
  async update(
    @Caller() caller: Principal,
    @Param('webhookId') webhookId: string,
    @Body() body: UpdateWebhookRequest,
  ): Promise<WebhookResponse> {
    return WebhookResponse.from(await this.webhooks.update(caller, webhookId, body));
  }

  /** Removes it with its log; nothing more is sent. */
  @Delete(':webhookId')
  @HttpCode(204)
  @Allow({ role: 'Admin' })
  async delete(@Param('webhookId') webhookId: string): Promise<void> {
    await this.webhooks.delete(webhookId);
  }

  /** Makes a new secret; for a day the one of before signs beside it. */
  @Post(':webhookId/rotate-secret')
  @HttpCode(200)
  @Allow({ role: 'Admin' })
  @CarriesSecret()
  async rotateSecret(@Param('webhookId') webhookId: string): Promise<WebhookWithSecretResponse> {
    return WebhookWithSecretResponse.of(await this.webhooks.rotateSecret(webhookId));
  }

  /** The delivery log, oldest first. */
  @Get(':webhookId/deliveries')
  @Allow({ role: 'Admin' })
  async listDeliveries(
    @Param('webhookId') webhookId: string,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeliveryResponse[]> {
    const page = await this.deliveries.list(webhookId, pageRequest(query));
    tellPage(request, response, page);
    return page.rows.map(DeliveryResponse.from);
  }

  /** Sends an event of the log again, at once and with all its tries. */
  @Post(':webhookId/deliveries/:deliveryId/redeliver')
  @HttpCode(200)
  @Allow({ role: 'Admin' })
  async redeliver(
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<DeliveryResponse> {
    return DeliveryResponse.from(await this.deliveries.redeliver(webhookId, deliveryId));
  }
}

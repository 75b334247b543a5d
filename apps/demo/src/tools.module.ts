import { Module } from '@nestjs/common';
import { AdminGuard } from './caller/admin.guard.js';
import { InMemoryPayments } from './payments/in-memory-payments.js';
import { PaymentService } from './payments/payment-service.js';
import { ArchiveTools } from './tools/archive.tools.js';
import { BucketTools } from './tools/bucket.tools.js';
import { CalculatorTools } from './tools/calculator.tools.js';
import { CheckoutTools } from './tools/checkout.tools.js';
import { FlakyTools } from './tools/flaky.tools.js';
import { ImageTools } from './tools/image.tools.js';
import { ImportTools } from './tools/import.tools.js';
import { ReportTools } from './tools/report.tools.js';
import { TripTools } from './tools/trip.tools.js';

/** The demo's tools and what they need, wherever their tasks are kept. */
@Module({
  providers: [
    AdminGuard,
    { provide: PaymentService, useClass: InMemoryPayments },
    // Their order here is their order in tools/list.
    CalculatorTools,
    ImageTools,
    ReportTools,
    TripTools,
    ImportTools,
    CheckoutTools,
    BucketTools,
    ArchiveTools,
    FlakyTools,
  ],
})
export class ToolsModule {}

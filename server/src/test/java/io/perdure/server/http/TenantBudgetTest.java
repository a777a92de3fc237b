package io.perdure.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.TenantId;
import org.junit.jupiter.api.Test;

class TenantBudgetTest {
    private static final TenantId GREEDY = new TenantId("greedy");
    private static final TenantId MODEST = new TenantId("modest");

    private static TenantBudget budget(int most) {
        return new TenantBudget(most, new TenantBudget.Refusal("Too many cakes", " cakes", "Bake more."));
    }

    /** Takes one after another until there is none for the tenant; returns how many it got, and what it was told then. */
    private static Taken takeAll(TenantBudget budget, TenantId tenant) {
        for (int taken = 0; ; taken++) {
            try {
                budget.take(tenant);
            } catch (RefusedException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
                return new Taken(taken, e.what());
            }
        }
    }

    private record Taken(int count, String refusal) {}

    @Test
    void take_byOneTenant_leavesATenthToOthers() {
        TenantBudget budget = budget(100);

        Taken taken = takeAll(budget, GREEDY);

        assertThat(taken.count()).isEqualTo(90);
        assertThat(taken.refusal())
                .isEqualTo("Too many cakes: tenant greedy has 90 of 100 cakes, and the rest is kept for other tenants."
                        + " Bake more.");
        assertThat(takeAll(budget, MODEST).count()).isEqualTo(9);
    }

    @Test
    void take_byAnotherTenant_shrinksTheShareOfTheFirst() {
        TenantBudget budget = budget(100);
        takeAll(budget, GREEDY);
        takeAll(budget, MODEST);

        budget.giveBack(GREEDY);
        budget.giveBack(GREEDY);

        assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> budget.take(GREEDY));
        budget.take(MODEST);
    }

    @Test
    void take_ofTheOnlyOne_isAllowed() {
        TenantBudget budget = budget(1);

        Taken taken = takeAll(budget, GREEDY);

        assertThat(taken).isEqualTo(new Taken(1, "Too many cakes (limit 1 cakes). Bake more."));
        budget.giveBack(GREEDY);
        assertThat(takeAll(budget, MODEST).count()).isEqualTo(1);
    }

    @Test
    void take_ofTwo_leavesOneToOthers() {
        TenantBudget budget = budget(2);

        assertThat(takeAll(budget, GREEDY).count()).isEqualTo(1);
        assertThat(takeAll(budget, MODEST).count()).isEqualTo(1);
    }

    @Test
    void take_byTheOnlyHolder_getsWhatIsLeft() {
        TenantBudget budget = budget(100);

        assertThat(budget.take(GREEDY, 60, 0)).isEqualTo(60);
        assertThat(budget.take(GREEDY, 60, 60)).isEqualTo(40);
        assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> budget.take(MODEST));
        budget.giveBack(GREEDY, 100);
        assertThat(budget.used()).isZero();
    }
}

package bench;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Slice;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.rest.core.annotation.RepositoryRestResource;
import org.springframework.data.rest.core.annotation.RestResource;
import org.springframework.data.rest.core.config.Projection;
import org.springframework.security.access.prepost.PreAuthorize;

/** Only authenticated callers with the scope `orders` may use the repositories. */
public interface Repositories {
  @PreAuthorize("hasAuthority('SCOPE_orders')")
  @RepositoryRestResource(path = "orders")
  interface Orders extends JpaRepository<Order, UUID> {
    /** A slice: the total is not counted. */
    @RestResource(path = "matching")
    Slice<Order> findByStatusAndAmountGreaterThanAndCustomerNameStartingWith(
        Integer status, BigDecimal amount, String name, Pageable page);
  }

  @PreAuthorize("hasAuthority('SCOPE_orders')")
  @RepositoryRestResource(path = "customers")
  interface Customers extends JpaRepository<Customer, UUID> {}

  @PreAuthorize("hasAuthority('SCOPE_orders')")
  @RepositoryRestResource(path = "products")
  interface Products extends JpaRepository<Product, UUID> {}

  interface CustomerView {
    UUID getId();
    String getName();
    String getEmail();
  }

  interface ProductView {
    UUID getId();
    String getName();
    String getSku();
    BigDecimal getPrice();
  }

  interface LineView {
    UUID getId();
    BigDecimal getQuantity();
    BigDecimal getPrice();
    Integer getPosition();
    ProductView getProduct();
  }

  /** What the other systems return of an order. */
  @Projection(name = "flat", types = Order.class)
  interface FlatOrder {
    UUID getId();
    Integer getVersion();
    String getNumber();
    LocalDate getDate();
    Integer getStatus();
    BigDecimal getAmount();
    BigDecimal getDiscount();
    String getNotes();
    OffsetDateTime getPlacedAt();
    LocalDateTime getConfirmedAt();
    LocalTime getDeliverFrom();
    UUID getExternalId();
    String getAttachment();
    LocalDateTime getCreatedDate();
    String getCreatedBy();
    LocalDateTime getLastModifiedDate();
    String getLastModifiedBy();
  }

  @Projection(name = "withLines", types = Order.class)
  interface OrderView {
    UUID getId();
    String getNumber();
    LocalDate getDate();
    Integer getStatus();
    BigDecimal getAmount();
    CustomerView getCustomer();
    List<LineView> getLines();
  }
}
